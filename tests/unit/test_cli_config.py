"""The settings as a person meets them: `config`, `doctor`, and names that do not exist."""

import json
from pathlib import Path

import pytest

from tests.answers import Memud


def test_config_shows_where_each_value_comes_from(
    memud: Memud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Default, file or variable: the one that is in force."""
    file = tmp_path / "memud.toml"
    file.write_text("[recall]\nlimit = 7\n")
    monkeypatch.setenv("MEMUD_RECALL__PROFILE", "development")
    code, out, _ = memud("config", "--json", "--config", str(file))
    rows = {row["key"]: (row["value"], row["from"]) for row in json.loads(out)}
    assert code == 0
    assert rows["recall.limit"] == (7, str(file))
    assert rows["recall.profile"] == ("development", "MEMUD_RECALL__PROFILE")
    assert rows["recall.admit"] == (0.5, "default")


def test_a_wrong_configuration_ends_with_78(memud: Memud, tmp_path: Path) -> None:
    """The key and the file are named."""
    file = tmp_path / "memud.toml"
    file.write_text("[recall]\nlimit = 'many'\n")
    code, _, err = memud("config", "--config", str(file))
    assert code == 78
    assert "recall.limit" in err


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("[recall]\nlimits = 3\n", "recall.limits", "recall.limit"),
        ("[recal]\nlimit = 3\n", "recal", "recall"),
        ("[recall.decay_weight]\ngenral = 1\n", "recall.decay_weight.genral", "recall.decay_weight.general"),
    ],
)
def test_an_unknown_setting_of_the_file_is_named_with_the_nearest(
    text: str, wrong: str, right: str, memud: Memud, tmp_path: Path
) -> None:
    """A typo is not told in the words of a library."""
    file = tmp_path / "memud.toml"
    file.write_text(text)
    code, _, err = memud("config", "--config", str(file))
    assert code == 78
    assert f"unknown setting {wrong}; the nearest known one is {right} (in {file})" in err


def test_a_price_of_ones_own_model_is_no_unknown_setting(memud: Memud, tmp_path: Path) -> None:
    """The names of models are the user's; what is wrong with a price is said like any other fault."""
    file = tmp_path / "memud.toml"
    file.write_text('[budget.prices]\n"home-grown" = [0.5, 1]\n')
    code, out, _ = memud("config", "--config", str(file))
    assert code == 0
    assert "home-grown" in out
    assert "claude-sonnet-5-5" in out
    file.write_text('[budget.prices]\n"home-grown" = [-1, 1]\n')
    code, _, err = memud("config", "--config", str(file))
    assert code == 78
    assert "budget.prices.home-grown" in err


@pytest.mark.parametrize("wrong", ["MEMUD_RECALL__LIMITS", "MEMUD_RECAL__LIMIT", "MEMUD_RECALL_LIMIT"])
def test_an_unknown_setting_of_the_environment_is_named_with_the_nearest(
    wrong: str, memud: Memud, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A typo is not passed over in silence."""
    monkeypatch.setenv(wrong, "3")
    code, _, err = memud("config")
    assert code == 78
    assert f"unknown setting {wrong}; the nearest known one is MEMUD_RECALL__LIMIT" in err


def test_variables_that_are_no_settings_are_left_alone(memud: Memud, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client's variables, those of other tools, a whole section, and a name in small letters."""
    monkeypatch.setenv("MEMUD_STATE_DIR", "/nowhere")
    monkeypatch.setenv("MEMUD_CRASH_ROUNDS", "3")
    monkeypatch.setenv("MEMUD_RECALL", '{"limit": 3}')
    monkeypatch.setenv("memud_log__level", "warning")
    assert memud("config")[0] == 0


def test_doctor_says_that_defaults_are_used_where_there_is_no_file(memud: Memud, tmp_path: Path) -> None:
    """A path alone would look like a file that was read."""
    assert "configuration: defaults; there is no " in memud("doctor")[1]
    file = tmp_path / ".config" / "memud" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("")
    assert f"configuration: {file}" in memud("doctor")[1]


def test_config_knows_its_path(memud: Memud, tmp_path: Path) -> None:
    """A person finds the file to edit."""
    assert memud("config", "--path")[1] == f"{tmp_path}/.config/memud/config.toml\n"
