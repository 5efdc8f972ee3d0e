"""One user's vectors as codes of two bits a number, in lists by nearest centre."""

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.ports import Matrix, Vector
from memory.vectors.ann.library import use_one_thread

Keys = NDArray[np.int64]

_DEVIATIONS = 2  # how far above its centre a list is expected to reach
_TRAINING_ROWS = 16_384  # enough for codebooks of sixteen entries; 2 s


class Lists:
    """Proposes the keys near a query; approximate, and never a judge. Neither locks nor checks.

    A vector of length 1 is nearer by distance just when its cosine is higher. All are taken about their
    common middle: what texts of one model share would fill the codes. Which lists to look into is not left
    to the distance of their centres: a question lies apart from all texts, and then the centre of a wide
    list is far though some of its texts are near. Looked into are those that may reach highest.
    """

    def __init__(self, faiss: Any, index: Any, middle: Vector, widths: NDArray[np.float32]) -> None:
        self._faiss = faiss
        self._index = index
        self.middle = middle
        self.widths = widths  # by list: the root mean square of its vectors' distances to its centre
        self._centres: Matrix = index.quantizer.reconstruct_n(0, index.nlist)
        self._above = widths * np.float32(_DEVIATIONS / sqrt(index.d))  # a direction's share of the width

    @classmethod
    def around(cls, faiss: Any, centres: Matrix, sample: Matrix) -> "Lists":
        """Empty lists around these centres, as wide as a sample of the vectors says."""
        use_one_thread(faiss)
        dimension, middle = centres.shape[1], sample.mean(axis=0)
        quantizer = faiss.IndexFlatL2(dimension)
        quantizer.add(centres - middle)
        index = faiss.IndexIVFPQFastScan(quantizer, dimension, len(centres), _parts(dimension), 4)
        index.by_residual = False  # tables for each list would cost more than they gain
        index.pq.cp.min_points_per_centroid = 1
        about = sample - middle
        index.train(about[:_TRAINING_ROWS])
        return cls(faiss, index, middle, _widths(quantizer, about))

    @classmethod
    def of_image(
        cls, faiss: Any, image: NDArray[np.uint8], middle: Vector, widths: NDArray[np.float32]
    ) -> "Lists":
        """What `image` gave. faiss may end the process on any other bytes: check them before."""
        return cls(faiss, faiss.deserialize_index(image), middle, widths)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def count(self) -> int:
        """How many lists there are."""
        return int(self._index.nlist)

    @property
    def nbytes(self) -> int:
        """Memory of codes, keys and centres, these twice."""
        return len(self) * (int(self._index.code_size) + 8) + 2 * self._centres.nbytes

    def fill(self, keys: Keys, rows: Matrix) -> None:
        """File many keys, before any is dropped: faiss does not erase what a dropped one left there."""
        use_one_thread(self._faiss)
        self._index.add_with_ids(rows - self.middle, keys)

    def add(self, keys: Keys, rows: Matrix) -> None:
        """File some keys that are not here, at any time."""
        use_one_thread(self._faiss)
        about = rows - self.middle
        places = self._index.quantizer.search(about, 1)[1][:, 0]
        packer = self._index.get_CodePacker()
        for key, place, code in zip(keys, places.tolist(), self._index.pq.compute_codes(about), strict=True):
            block = np.zeros((1, packer.block_size), np.uint8)
            packer.pack_1(code, 0, block)
            pointers = (self._faiss.swig_ptr(part) for part in (np.array([key]), block))
            self._index.invlists.add_entries(place, 1, *pointers)
        self._index.ntotal += len(keys)

    def drop(self, keys: Keys) -> None:
        """Take keys out; one pass over all, however few they are."""
        use_one_thread(self._faiss)
        self._index.remove_ids(self._faiss.IDSelectorBatch(keys))

    def nearest(self, query: Vector, count: int, probes: int) -> Keys:
        """Up to `count` keys out of `probes` lists, by what the codes tell the nearest first."""
        use_one_thread(self._faiss)
        chosen = _highest(self._centres @ query + self._above, probes)
        self._index.nprobe = len(chosen)
        keys: Keys = self._index.search_preassigned(
            (query - self.middle)[None, :], count, chosen[None, :], None
        )[1][0]
        return keys[keys >= 0]

    def image(self) -> NDArray[np.uint8]:
        """Codes, keys and centres as bytes, for a file; middle and widths go apart."""
        image: NDArray[np.uint8] = self._faiss.serialize_index(self._index)
        return image


def _parts(dimension: int) -> int:
    """Two numbers share a code of four bits; an odd dimension can't be shared out so."""
    return dimension // 2 if dimension % 2 == 0 else dimension


def _highest(values: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    if count < len(values):
        chosen = np.argpartition(values, len(values) - count)[-count:]
    else:
        chosen = np.arange(len(values))
    return chosen[np.argsort(-values[chosen])].astype(np.int64)


def _widths(quantizer: Any, sample: Matrix) -> NDArray[np.float32]:
    """A list that the sample leaves empty is as wide as all of them are."""
    distances, nearest = quantizer.search(sample, 1)
    members = np.bincount(nearest[:, 0], minlength=quantizer.ntotal)
    sums = np.bincount(nearest[:, 0], weights=distances[:, 0], minlength=quantizer.ntotal)
    squares = np.where(members > 0, sums / np.maximum(members, 1), distances.mean())
    return np.sqrt(np.maximum(squares, 0)).astype(np.float32)
