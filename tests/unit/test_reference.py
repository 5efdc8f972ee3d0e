"""docs/PROTOCOL.md says what the wire types say."""

from pathlib import Path

import pytest

from daemon.protocol.table import SIGNATURES
from daemon.reference import reference

PAGE = Path(__file__).parents[2] / "docs" / "PROTOCOL.md"


def test_the_committed_page_is_the_generated_one() -> None:
    """After a change of the wire: `make docs`."""
    assert PAGE.read_text(encoding="utf-8") == reference()


@pytest.mark.parametrize("name", [signature.name for signature in SIGNATURES])
def test_every_method_has_its_chapter(name: str) -> None:
    """With its example frame."""
    assert f"\n### {name}\n" in reference()
    assert f'"method":"{name}"' in reference()


def test_every_link_leads_to_a_chapter() -> None:
    """No record is named that is not described."""
    page = reference()
    chapters = {line[4:].lower().replace(".", "") for line in page.splitlines() if line.startswith("### ")}
    links = {part.partition(")")[0] for part in page.split("](#")[1:]}
    assert links <= chapters
