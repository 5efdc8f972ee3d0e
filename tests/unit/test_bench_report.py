"""What docs/PERFORMANCE.md and the READMEs say of speed."""

from pathlib import Path

from bench.report import PAGE, READMES, page, plain_table, with_headlines
from bench.results import Result, read, save

RESULT = Result(
    measure="latency",
    question="How long does it take?",
    command="python -m bench.run latency",
    at="2026-11-30 22:30 UTC",
    took_s=81.0,
    load=[0.5, 1.5],
    machine={"cores": 2, "cpu": "a processor", "memory_gb": 24, "system": "Linux"},
    versions={"python": "3.11.7", "memud": "0.1.0"},
    figures={"recall": {"cpu_p50_ms": 12.345, "p95_ms": 30.0}, "turns": 10},
)


def read_one(name: str) -> Result | None:
    """The one result that there is."""
    return RESULT if name == RESULT.measure else None


def test_the_page_and_the_readmes_say_what_the_results_say() -> None:
    """Whoever keeps new results writes the page anew: `python -m bench.report`."""
    assert PAGE.read_text(encoding="utf-8") == page(read)
    for language, path in READMES.items():
        text = path.read_text(encoding="utf-8")
        assert with_headlines(text, language, read) == text


def test_a_result_is_shown_with_its_question_command_moment_and_load() -> None:
    """A figure that can't be doubted is worth nothing."""
    shown = page(read_one)
    assert "### How long does it take?" in shown
    assert "`python -m bench.run latency`" in shown
    assert "2026-11-30 22:30 UTC" in shown
    assert "load 0.5 before and 1.5 after" in shown
    assert "| recall | cpu p50, ms: 12.345, p95, ms: 30.0 |" in shown


def test_a_measure_without_a_result_leaves_no_gap() -> None:
    """A page of what was measured, and no empty headings."""
    assert page(read_one).count("\n### ") == 1


def test_both_readmes_get_the_same_figure() -> None:
    """In either language."""
    for language in READMES:
        readme = with_headlines("before\n<!-- bench -->\nold\n<!-- /bench -->\nafter", language, read_one)
        assert "12 ms" in readme
        assert "old" not in readme
        assert readme.startswith("before\n")
        assert readme.endswith("\nafter")


def test_a_plain_table_has_a_line_for_each_name() -> None:
    """Single figures and groups of them alike."""
    assert plain_table(RESULT.figures).splitlines()[2:] == [
        "| recall | cpu p50, ms: 12.345, p95, ms: 30.0 |",
        "| turns | 10 |",
    ]


def test_what_has_the_same_figures_stands_in_columns() -> None:
    """With a head that says what they are, and in which unit."""
    figures = {"recall": {"cpu_p50_ms": 3, "asked": 5}, "search": {"cpu_p50_ms": 4, "asked": 6}}
    assert plain_table(figures).splitlines() == [
        "| | cpu p50, ms | asked |",
        "|---|---|---|",
        "| recall | 3 | 5 |",
        "| search | 4 | 6 |",
    ]


def test_a_figure_that_one_lacks_leaves_its_column_empty() -> None:
    """The others stand in columns all the same."""
    figures = {"status": {"p50_ms": 3, "cpu_ms": 5}, "ready": {"cpu_ms": 6}}
    assert plain_table(figures).splitlines()[2:] == ["| status | 3 | 5 |", "| ready |  | 6 |"]


def test_a_kept_result_is_read_as_it_was(tmp_path: Path) -> None:
    """The file loses nothing."""
    save(RESULT, tmp_path)
    assert read("latency", tmp_path) == RESULT
    assert read("footprint", tmp_path) is None
