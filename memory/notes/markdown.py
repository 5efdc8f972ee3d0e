"""The lines of a Markdown file that say something, each below its headings. Code and comments say nothing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MAX_NESTING = 100  # a list in a list counts twice; what lies deeper is not read
_MARKDOWN = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable(["table", "strikethrough"])
_MAX_LEAD_CHARS = 1_000  # it is told again with each entry below it
_SENTENCE_END = re.compile(r"[.!?。！？；;:：][\"'”’)）]*$")
_HAN_OR_WIDE = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")
_ONLY_REMARK = re.compile(r"[\s\W]*(?:[(（\[][^()（）\[\]]*[)）\]][\s\W]*)?")
_FRONT_MATTER = re.compile(r"\A---\r?\n.*?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Line:
    """One statement. `number` is its line in the file, from 1; headings outermost first, "" for none.

    `is_struck`: it was crossed out, but for a remark in brackets. `remark`: the comment before it.
    """

    number: int
    text: str
    headings: tuple[str, ...]
    is_struck: bool = False
    remark: str = ""


def lines(text: str) -> Iterator[Line]:
    """What the file says: paragraphs, entries of lists, rows of tables. Never raises."""
    yield from _Reader(_MARKDOWN.parse(_without_front_matter(text))).read()


def _without_front_matter(text: str) -> str:
    """Its lines are left blank, so that the numbers of the others stay."""
    return _FRONT_MATTER.sub(lambda found: "\n" * found[0].count("\n"), text.removeprefix("\ufeff"))


class _Reader:
    """Walks over the tokens once, with the headings and the entries that lead a list in mind."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._headings: list[str] = []
        self._leads: list[str] = []  # of each open entry of a list: what stands before its own entries
        self._names: list[str] = []  # of the columns of the table that is open
        self._remark = ""  # until the next comment or heading

    def read(self) -> Iterator[Line]:
        for at, token in enumerate(self._tokens):
            if token.type == "list_item_open":
                self._leads.append("")
            elif token.type == "list_item_close":
                self._leads.pop()
            elif token.type == "html_block":
                self._remark = token.content
            elif token.type == "tr_open":
                yield from self._row(at)
            elif token.type == "inline" and token.map:
                before = self._tokens[at - 1].type
                if before == "heading_open":
                    self._head(self._tokens[at - 1].tag, token)
                elif before == "paragraph_open":
                    yield from self._paragraph(at, token)

    def _head(self, tag: str, token: Token) -> None:
        level = int(tag[1:])
        outer = self._headings[: level - 1]
        said = " ".join(part for part, _ in _spoken(token))
        self._headings = [*outer, *[""] * (level - 1 - len(outer)), said.strip()]
        self._remark = ""

    def _paragraph(self, at: int, token: Token) -> Iterator[Line]:
        first = token.map[0] + 1 if token.map else 0
        lead = "".join(self._leads)
        if self._leads and self._leads_list(at) and _is_lead(lead + token.content):
            self._leads[-1] = " ".join(text for text, _ in _spoken(token)).strip() + " "
            return
        for number, text, is_struck in _statements(_spoken(token), first):
            yield Line(number, lead + text, tuple(self._headings), is_struck, self._remark)

    def _leads_list(self, at: int) -> bool:
        """Whether a list of its own follows the entry's words."""
        following = self._tokens[at + 2].type if at + 2 < len(self._tokens) else ""
        return following in ("bullet_list_open", "ordered_list_open")

    def _row(self, at: int) -> Iterator[Line]:
        end = next(i for i in range(at, len(self._tokens)) if self._tokens[i].type == "tr_close")
        row = [token for token in self._tokens[at:end] if token.type == "inline"]
        cells = [" ".join(text for text, _ in _spoken(cell)).strip() for cell in row]
        if self._tokens[at - 1].type == "thead_open":
            self._names = cells
        elif len(cells) > 1 and (all(cells[:2]) or _is_struck_row(row)):
            number = (self._tokens[at].map or [0])[0] + 1
            yield Line(number, _told(self._names, cells), tuple(self._headings), not all(cells[:2]))


def _is_lead(words: str) -> bool:
    return len(words) <= _MAX_LEAD_CHARS and words.rstrip().endswith((":", "："))


def _told(names: Sequence[str], cells: Sequence[str]) -> str:
    """A row in words: a pair is a name and its value; more cells are told with their columns."""
    if len(cells) == 2:
        return f"{cells[0]}: {cells[1]}"
    named = [f"{name}: {cell}" for name, cell in zip(names[1:], cells[1:], strict=False) if cell]
    return f"{cells[0]} ({'; '.join(named)})"


def _is_struck_row(row: Sequence[Token]) -> bool:
    return any(child.type == "s_open" for cell in row for child in cell.children or ())


def _spoken(token: Token) -> list[tuple[str, bool]]:
    """The physical lines of a text without its marks: what is not crossed out, and whether something was."""
    spoken, has_struck, depth = [""], [False], 0
    for child in token.children or ():
        if child.type in ("s_open", "s_close"):
            depth += 1 if child.type == "s_open" else -1
            has_struck[-1] = True
        elif child.type in ("softbreak", "hardbreak"):
            spoken.append("")
            has_struck.append(depth > 0)
        elif child.type in ("text", "code_inline") and not depth:
            spoken[-1] += child.content
    return [(" ".join(said.split()), struck) for said, struck in zip(spoken, has_struck, strict=True)]


def _statements(spoken: Sequence[tuple[str, bool]], first: int) -> Iterator[tuple[int, str, bool]]:
    """A paragraph's lines, each by itself where it ends like a sentence, else with the next."""
    start, text, is_struck = first, "", False
    for number, (part, has_struck) in enumerate(spoken, first):
        start = start if text else number
        text, is_struck = _joined(text, part), is_struck or has_struck
        if _SENTENCE_END.search(text) or has_struck:
            yield start, text, is_struck and bool(_ONLY_REMARK.fullmatch(text))
            text, is_struck = "", False
    if text or is_struck:
        yield start, text, is_struck and bool(_ONLY_REMARK.fullmatch(text))


def _joined(before: str, after: str) -> str:
    if not before or not after:
        return before or after
    is_dense = _HAN_OR_WIDE.match(before[-1]) and _HAN_OR_WIDE.match(after[0])
    return before + after if is_dense else f"{before} {after}"
