"""What the documentation names exists, and both READMEs say the same."""

import re
from pathlib import Path

import pytest

from cli import exits
from cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
READMES = ("README.md", "README.zh-CN.md")
DOCUMENTS = (
    *READMES,
    "CONTRIBUTING.md",
    "docs/ARCHITECTURE.md",
    "docs/EVALUATION.md",
    "docs/EXTRACTION.md",
    "docs/OPENCLAW.md",
    "docs/INDEXES.md",
    "docs/INDEXES.zh-CN.md",
    "docs/OPENCLAW.zh-CN.md",
    "docs/OPERATIONS.md",
    "docs/PERFORMANCE.md",
    "docs/PROACTIVE.md",
    "docs/PROACTIVE.zh-CN.md",
    "docs/decisions/0001-packaging.md",
)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
CODE = re.compile(r"```sh\n(.*?)```|`([^`\n]+)`", re.DOTALL)


def text_of(document: str) -> str:
    """The document."""
    return (ROOT / document).read_text(encoding="utf-8")


def named(program: str, document: str) -> set[str]:
    """The words that follow a program's name in the document's code."""
    code = "\n".join(block or inline for block, inline in CODE.findall(text_of(document)))
    return set(re.findall(rf"(?:^|[\s/]){program} ([a-z][a-z0-9-]*)", code))


def commands() -> set[str]:
    """Every command of the command line."""
    return {name for name, _ in COMMANDS}


def test_what_is_named_after_make_is_a_target() -> None:
    """Each `make X` of the documents is a target of the Makefile."""
    targets = set(re.findall(r"^([a-z][\w-]*):", text_of("Makefile"), re.MULTILINE))
    missing = {(document, name) for document in DOCUMENTS for name in named("make", document) - targets}
    assert not missing


def test_what_is_named_after_memud_is_a_command() -> None:
    """Each `memud X` of the documents is a command that exists."""
    known = commands()
    missing = {(document, name) for document in DOCUMENTS for name in named("memud", document) - known}
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    """Each relative link of a document leads to a file or folder."""
    folder = (ROOT / document).parent
    missing = [target for target in LINK.findall(text_of(document)) if not (folder / target).exists()]
    assert not missing


def test_both_readmes_have_the_same_sections_commands_and_links() -> None:
    """A reader of either README learns of the same things."""
    english, chinese = READMES
    assert len(sections(english)) == len(sections(chinese)) >= 6
    for program in ("make", "memud"):
        assert named(program, english) == named(program, chinese)
    links = {target.replace(".zh-CN", "") for target in LINK.findall(text_of(chinese))}
    assert set(LINK.findall(text_of(english))) - {chinese} == links - {english}


def test_the_first_screens_about_what_is_said_show_the_same() -> None:
    """Whoever reads Chinese only is shown the same commands and settings."""
    english, chinese = (
        first_screen("docs/PROACTIVE.md"),
        text_of("docs/PROACTIVE.zh-CN.md"),
    )
    assert shown(english) == shown(chinese)
    assert len(shown(english)) >= 10


def first_screen(document: str) -> str:
    """What stands before the details."""
    return text_of(document).split("\n## ")[0]


def shown(text: str) -> list[str]:
    """The commands and settings of its blocks, without remarks and words of a person."""
    blocks = re.findall(r"```\w+\n(.*?)```", text, re.DOTALL)
    lines = (line.split("  ")[0] for block in blocks for line in block.splitlines())
    return [re.sub(r'"(?!\d).*"', '"…"', line) for line in lines]


def sections(document: str) -> list[str]:
    """The headings of second level."""
    return re.findall(r"^## (.+)$", text_of(document), re.MULTILINE)


@pytest.mark.parametrize("document", READMES)
def test_the_first_thing_to_see_are_two_commands(document: str) -> None:
    """Under the title stand `make demo` and `make test`, before any prose."""
    lines = [line for line in text_of(document).splitlines() if line.strip()]
    assert lines[1] == "```sh"
    assert [line.split("#")[0].strip() for line in lines[2:4]] == ["make demo", "make test"]


def test_the_table_of_exit_codes_is_that_of_the_command_line() -> None:
    """Each code that a command or the daemon ends with is explained, and no other."""
    table = text_of("docs/OPERATIONS.md").split("## Exit codes")[1].split("\n## ")[0]
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}
    ended_by_ctrl_c = 130
    assert told == {value for value in vars(exits).values() if isinstance(value, int)} | {ended_by_ctrl_c}


def test_every_folder_of_the_layer_table_exists() -> None:
    """The table of layers in ARCHITECTURE.md names folders of the repository."""
    folders = re.findall(r"^\| `([\w/]+)/` \|", text_of("docs/ARCHITECTURE.md"), re.MULTILINE)
    assert len(folders) >= 6
    assert not [folder for folder in folders if not (ROOT / folder).is_dir()]


def test_the_changelog_has_the_form_of_keep_a_changelog() -> None:
    """There is an Unreleased section, and only the six known headings below versions."""
    changelog = text_of("CHANGELOG.md")
    assert "## [Unreleased]" in changelog
    headings = set(re.findall(r"^### (.+)$", changelog, re.MULTILINE))
    assert headings <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
