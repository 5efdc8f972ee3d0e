"""`memud openclaw`: real files, and a stub of the command `openclaw`."""

import json
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.openclaw.edits import Edit, applied, undone
from tests.answers import Memud

_STUB = """#!/bin/sh
if [ "$1" = --version ]; then echo "OpenClaw {version} (0000000)"; exit {code}; fi
if grep -q unwanted "$OPENCLAW_CONFIG_PATH"; then echo "unwanted: not in the schema" >&2; exit 1; fi
"""
_MINE = {"gateway": {"mode": "local", "port": 19001}, "plugins": {"slots": {"memory": "memory-core"}}}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an OpenClaw of a version, and a configuration."""

    folder: Path

    @property
    def config(self) -> Path:
        return self.folder / "openclaw.json"

    @property
    def copy(self) -> Path:
        return self.folder / "openclaw.json.before-memud"

    @property
    def value(self) -> Any:
        return json.loads(self.config.read_text())

    def writes(self, value: object) -> str:
        text = value if isinstance(value, str) else json.dumps(value, indent=2) + "\n"
        self.config.write_text(text)
        return text

    def has(self, version: str = "2026.9.6", code: int = 0) -> None:
        """A command `openclaw` of this version."""
        for name, text in (
            ("openclaw", _STUB.format(version=version, code=code)),
            ("node", "#!/bin/sh\necho v24.21.0\n"),
        ):
            command = self.folder / "bin" / name
            command.parent.mkdir(exist_ok=True)
            command.write_text(text)
            command.chmod(0o755)


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Nothing of the one who runs the tests is read or written."""
    person = Person(tmp_path / "person")
    person.folder.mkdir()
    person.has()
    for name in [name for name in os.environ if name.startswith("OPENCLAW_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", f"{person.folder / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(person.folder))
    monkeypatch.setenv("MEMUD_SOCKET", str(person.folder / "memud.sock"))
    return person


def test_install_puts_in_what_the_plugin_needs_and_keeps_the_rest(memud: Memud, person: Person) -> None:
    """Slot, access, path, socket, the built-in memory off; the copy is the file as it was."""
    before = person.writes(_MINE)
    code, out, _ = memud("openclaw", "install", "--yes")
    assert code == 0
    plugins = person.value["plugins"]
    assert plugins["slots"]["memory"] == "memud"
    assert Path(plugins["load"]["paths"][0], "openclaw.plugin.json").is_file()
    assert plugins["entries"]["memory-core"] == {"enabled": False}
    assert plugins["entries"]["memud"] == {
        "enabled": True,
        "hooks": {
            "allowConversationAccess": True,
            "allowPromptInjection": True,
            "timeouts": {"before_prompt_build": 3000},
        },
        "config": {"socketPath": str(person.folder / "memud.sock")},
    }
    assert person.value["gateway"] == _MINE["gateway"]
    assert person.copy.read_text() == before
    assert '- plugins.slots.memory: "memory-core"\n  + plugins.slots.memory: "memud"' in out


def test_a_second_install_changes_nothing(memud: Memud, person: Person) -> None:
    """Not a byte, not the copy, and there is nothing to agree to."""
    person.writes(_MINE)
    memud("openclaw", "install", "--yes")
    text, copy = person.config.read_text(), person.copy.read_text()
    code, out, _ = memud("openclaw", "install", "--json")
    assert (code, json.loads(out)["changed"]) == (0, False)
    assert (person.config.read_text(), person.copy.read_text()) == (text, copy)


@pytest.mark.parametrize(
    "value", [_MINE, {}, {"plugins": {}}, {"plugins": {"allow": ["browser"], "entries": {}}}]
)
def test_uninstall_gives_back_the_very_file(memud: Memud, person: Person, value: dict[str, Any]) -> None:
    """Byte for byte; the copy goes, as it is no longer of use."""
    before = person.writes(value)
    memud("openclaw", "install", "--yes", "--heartbeat", "30m")
    assert person.config.read_text() != before
    assert memud("openclaw", "uninstall", "--yes")[0] == 0
    assert person.config.read_text() == before
    assert not person.copy.exists()


def test_uninstall_gives_back_lines_and_blanks_as_they_were(memud: Memud, person: Person) -> None:
    """Somebody who wrote it by hand finds it as they wrote it."""
    before = person.writes('{"gateway": {"mode":"local"},\n      "plugins": {}}')
    memud("openclaw", "install", "--yes")
    memud("openclaw", "uninstall", "--yes")
    assert person.config.read_text() == before


def test_uninstall_leaves_what_the_user_changed_later(memud: Memud, person: Person) -> None:
    """Another memory in the slot, a new plugin, a new path: theirs, and named where it was ours before."""
    person.writes(_MINE)
    memud("openclaw", "install", "--yes")
    value = person.value
    value["plugins"]["slots"]["memory"] = "another"
    value["plugins"]["entries"]["browser"] = {"enabled": True}
    value["plugins"]["load"]["paths"].append("/mine")
    person.writes(value)
    code, out, _ = memud("openclaw", "uninstall", "--yes")
    assert code == 0
    assert person.value["plugins"] == {
        "slots": {"memory": "another"},
        "load": {"paths": ["/mine"]},
        "entries": {"browser": {"enabled": True}},
    }
    assert "plugins.slots.memory" in out.split("left as it is")[1]


def test_what_was_lost_and_installed_again_goes_without_a_trace(memud: Memud, person: Person) -> None:
    """Two installs with a person's change between them are taken back in one."""
    before = person.writes(_MINE)
    memud("openclaw", "install", "--yes")
    value = person.value
    del value["plugins"]["entries"]["memud"]["hooks"]["allowConversationAccess"]
    person.writes(value)
    memud("openclaw", "install", "--yes")
    assert memud("openclaw", "uninstall", "--yes")[0] == 0
    assert person.config.read_text() == before


def test_a_configuration_that_does_not_exist_comes_and_goes(memud: Memud, person: Person) -> None:
    """Readable for its owner alone, as keys will stand there."""
    assert memud("openclaw", "install", "--yes")[0] == 0
    assert stat.S_IMODE(person.config.stat().st_mode) == 0o600
    assert memud("openclaw", "uninstall", "--yes")[0] == 0
    assert not person.config.exists()


def test_uninstall_without_install_does_nothing(memud: Memud, person: Person) -> None:
    """A file that somebody set up by hand is theirs."""
    text = person.writes(_MINE)
    assert memud("openclaw", "uninstall", "--yes")[0] == 0
    assert person.config.read_text() == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{\n  // mine\n  "gateway": {}\n}\n', "line 2"),
        ("{gateway: {mode: 'local'}}", "line 1"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"a": NaN}', "NaN"),
        ('{"a": "\\ud800"}', "signs or numbers"),
    ],
)
def test_a_file_that_would_lose_something_is_not_touched(
    memud: Memud, person: Person, text: str, why: str
) -> None:
    """What to put there by hand is printed, as JSON that can be pasted."""
    person.writes(text)
    code, out, err = memud("openclaw", "install", "--yes")
    assert code == 1
    assert why in err
    assert json.loads(out)["plugins"]["slots"] == {"memory": "memud"}
    assert person.config.read_text() == text


@pytest.mark.parametrize("value", [{"plugins": []}, {"plugins": {"load": {"paths": "mine"}}}, []])
def test_a_file_of_another_shape_is_not_touched(memud: Memud, person: Person, value: object) -> None:
    """It is said what is not as it must be."""
    text = person.writes(value)
    code, _, err = memud("openclaw", "install", "--yes")
    assert code == 1
    assert "is not" in err
    assert person.config.read_text() == text


def test_what_openclaw_does_not_accept_is_not_written(memud: Memud, person: Person) -> None:
    """OpenClaw looks at the new file before it replaces the old one; its words are told."""
    text = person.writes({"unwanted": True})
    code, _, err = memud("openclaw", "install", "--yes")
    assert code == 1
    assert "not in the schema" in err
    assert person.config.read_text() == text
    assert sorted(path.name for path in person.folder.iterdir()) == ["bin", "openclaw.json"]


@pytest.mark.parametrize("value", [{"plugins": {"enabled": False}}, {"plugins": {"deny": ["memud"]}}])
def test_a_users_no_is_respected(memud: Memud, person: Person, value: dict[str, Any]) -> None:
    """Who keeps plugins out decides; the setting is named."""
    text = person.writes(value)
    code, _, err = memud("openclaw", "install", "--yes")
    assert code == 1
    assert f"plugins.{next(iter(value['plugins']))}" in err
    assert person.config.read_text() == text


def test_a_dry_run_shows_the_difference_and_writes_nothing(memud: Memud, person: Person) -> None:
    """No copy, no record, no folder."""
    text = person.writes(_MINE)
    code, out, _ = memud("openclaw", "install", "--dry-run")
    assert code == 0
    assert '+ plugins.slots.memory: "memud"' in out
    assert person.config.read_text() == text
    assert sorted(path.name for path in person.folder.iterdir()) == ["bin", "openclaw.json"]


def test_the_difference_shows_no_key_of_a_provider(memud: Memud, person: Person) -> None:
    """What stands beside a change is not shown."""
    key = "-".join(("sk", "planted", "0123456789abcdef"))
    person.writes({**_MINE, "models": {"providers": {"mine": {"apiKey": key}}}})
    _, out, err = memud("openclaw", "install", "--yes")
    assert key not in out + err


def test_without_an_answer_nothing_is_changed(memud: Memud, person: Person) -> None:
    """A script must say --yes."""
    text = person.writes(_MINE)
    assert memud("openclaw", "install")[0] == 64
    assert person.config.read_text() == text


def test_a_list_of_allowed_plugins_gets_ours(memud: Memud, person: Person) -> None:
    """There a plugin that is not named is not loaded; where there is no list, none is made."""
    person.writes({"plugins": {"allow": ["browser"]}})
    memud("openclaw", "install", "--yes")
    assert person.value["plugins"]["allow"] == ["browser", "memud"]


def test_what_the_user_chose_for_the_plugin_stays(memud: Memud, person: Person) -> None:
    """Another socket, another limit."""
    own = {
        "hooks": {"timeouts": {"before_prompt_build": 9000}},
        "config": {"socketPath": "/mine", "limit": 3},
    }
    person.writes({"plugins": {"entries": {"memud": own}}})
    memud("openclaw", "install", "--yes")
    entry = person.value["plugins"]["entries"]["memud"]
    assert entry["config"] == own["config"]
    assert entry["hooks"]["timeouts"] == {"before_prompt_build": 9000}


def test_the_plugin_of_an_environment_that_is_gone_is_replaced(memud: Memud, person: Person) -> None:
    """Two copies of one plugin would be one too many."""
    person.writes({"plugins": {"load": {"paths": ["/gone/share/memud/openclaw", "/mine"]}}})
    memud("openclaw", "install", "--yes")
    paths = person.value["plugins"]["load"]["paths"]
    assert len(paths) == 2
    assert paths[0] == "/mine"
    assert Path(paths[1], "openclaw.plugin.json").is_file()


@pytest.mark.parametrize("every", ["0m", "0", "0s", "0ms"])
def test_a_heartbeat_that_is_off_is_said_and_left(memud: Memud, person: Person, every: str) -> None:
    """It costs model calls, so nobody is given one unasked."""
    person.writes({"agents": {"defaults": {"heartbeat": {"every": every}}}})
    _, _, err = memud("openclaw", "install", "--yes")
    assert "reminders wait" in err
    assert person.value["agents"]["defaults"]["heartbeat"]["every"] == every


def test_nobody_to_ask_is_not_taken_for_a_danger(memud: Memud, person: Person) -> None:
    """What `install` does can be undone, and it does not say otherwise."""
    person.writes({})
    code, _, err = memud("openclaw", "install")
    assert code == 64
    assert "--yes" in err
    assert "undone" not in err


def test_no_heartbeat_is_offered_that_would_not_help(memud: Memud, person: Person) -> None:
    """Where another agent has one of its own, the default for all is not looked at."""
    person.writes({"agents": {"entries": {"main": {}, "ops": {"heartbeat": {"every": "5m"}}}}})
    _, _, err = memud("openclaw", "install", "--yes")
    assert "belongs to another agent" in err


def test_a_heartbeat_that_is_asked_for_is_set(memud: Memud, person: Person) -> None:
    """Also where everything else is in place already."""
    person.writes({"agents": {"defaults": {"heartbeat": {"every": "0m"}}}})
    memud("openclaw", "install", "--yes")
    assert memud("openclaw", "install", "--yes", "--heartbeat", "15m")[0] == 0
    assert person.value["agents"]["defaults"]["heartbeat"]["every"] == "15m"
    assert memud("openclaw", "install", "--yes", "--heartbeat", "often")[0] == 64


@pytest.mark.parametrize(
    ("version", "code", "word"),
    [
        ("2026.8.3", 0, "too old"),
        ("2025.12.1", 0, "too old"),
        ("", 1, "does not start"),
        ("unknown", 0, "does not start"),
    ],
)
def test_an_openclaw_that_will_not_do_is_refused(
    memud: Memud, person: Person, version: str, code: int, word: str
) -> None:
    """Before anything is read or asked."""
    person.has(version, code)
    told, _, err = memud("openclaw", "install", "--yes")
    assert (told, word in err) == (1, True)
    assert not person.config.exists()


@pytest.mark.parametrize("code", [0, 1, 137])
def test_an_openclaw_that_says_nothing_is_refused(memud: Memud, person: Person, code: int) -> None:
    """A command that was killed or is a stub has no version to compare."""
    (person.folder / "bin" / "openclaw").write_text(f"#!/bin/sh\nexit {code}\n")
    told, _, err = memud("openclaw", "install", "--yes")
    assert told == 1
    assert f"exit code {code}, no version" in err


def test_a_newer_openclaw_is_named_and_tried(memud: Memud, person: Person) -> None:
    """Nobody is kept out for being up to date."""
    person.has("2027.1.0")
    code, _, err = memud("openclaw", "install", "--yes")
    assert code == 0
    assert "2027.1.0 is newer" in err


def test_without_openclaw_it_is_said(memud: Memud, person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what to do."""
    monkeypatch.setenv("PATH", str(person.folder))
    code, _, err = memud("openclaw", "install", "--yes")
    assert code == 1
    assert "not in the PATH" in err


@pytest.mark.parametrize("name", ["OPENCLAW_CONFIG_READONLY", "OPENCLAW_NIX_MODE"])
def test_a_configuration_that_others_manage_is_left_alone(
    memud: Memud, person: Person, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """OpenClaw's own commands refuse there too."""
    monkeypatch.setenv(name, "1")
    assert memud("openclaw", "install", "--yes")[0] == 1
    assert not person.config.exists()


def test_a_link_leads_to_the_file_that_is_changed(
    memud: Memud, person: Person, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The link stays a link."""
    real = tmp_path_factory.mktemp("dotfiles") / "openclaw.json"
    real.write_text(json.dumps(_MINE))
    person.config.symlink_to(real)
    assert memud("openclaw", "install", "--yes")[0] == 0
    assert person.config.is_symlink()
    assert json.loads(real.read_text())["plugins"]["slots"]["memory"] == "memud"


def test_status_names_what_is_missing(memud: Memud, person: Person) -> None:
    """Each thing on a line of its own; 0 only if all is fine, and here no daemon answers."""
    person.writes(_MINE)
    memud("openclaw", "install", "--yes")
    value = person.value
    del value["plugins"]["entries"]["memud"]["hooks"]["allowConversationAccess"]
    person.writes(value)
    code, out, _ = memud("openclaw", "status", "--json")
    assert code == 1
    assert [check["name"] for check in json.loads(out) if not check["ok"]] == ["access", "daemon"]


@pytest.mark.parametrize(
    ("heartbeat", "word"),
    [
        ({"target": "telegram"}, "by itself"),
        ({}, "knows nobody to write to"),
        ({"every": "0m", "target": "last"}, "Heartbeat is off"),
        ({"target": "last"}, "may answer in a group"),
    ],
)
def test_status_says_how_a_reminder_comes(
    memud: Memud, person: Person, heartbeat: dict[str, str], word: str
) -> None:
    """As the plugin does it: no turn of its own where a group may read the reply."""
    person.writes({"agents": {"defaults": {"heartbeat": heartbeat}}})
    _, out, _ = memud("openclaw", "status", "--json")
    assert word in {check["name"]: check["detail"] for check in json.loads(out)}["heartbeat"]


@pytest.mark.parametrize(
    ("session", "is_fine"), [({}, True), ({"scope": "per-sender"}, True), ({"scope": "global"}, False)]
)
def test_status_warns_where_all_chats_share_one_session(
    memud: Memud, person: Person, session: dict[str, str], is_fine: bool
) -> None:
    """There no group is told from a private chat."""
    person.writes({"session": session})
    _, out, _ = memud("openclaw", "status", "--json")
    (check,) = [check for check in json.loads(out) if check["name"] == "sessions"]
    assert check["ok"] is is_fine
    assert ("per-sender" in check["advice"]) is not is_fine


def test_where_nothing_can_be_recorded_nothing_is_changed(memud: Memud, person: Person) -> None:
    """What could not be taken back is not done."""
    text = person.writes(_MINE)
    (person.folder / "memud").write_text("a file in the folder's place")
    code, _, err = memud("openclaw", "install", "--yes")
    assert code == 1
    assert "can't be written" in err
    assert person.config.read_text() == text


def test_a_copy_that_cannot_be_made_leaves_no_record(memud: Memud, person: Person) -> None:
    """A later uninstall finds nothing that was not done."""
    text = person.writes(_MINE)
    person.copy.with_name(f"{person.copy.name}.part").symlink_to("/dev/full")
    assert memud("openclaw", "install", "--yes")[0] == 1
    assert person.config.read_text() == text
    assert not (person.folder / "memud" / "install.json").exists()


def test_half_a_copy_is_never_taken_for_the_copy(memud: Memud, person: Person) -> None:
    """A disk that was full for a moment costs another try, not the configuration as it was."""
    text = person.writes(_MINE)
    person.copy.with_name(f"{person.copy.name}.part").symlink_to("/dev/full")
    assert memud("openclaw", "install", "--yes")[0] == 1
    assert not person.copy.exists()
    assert memud("openclaw", "install", "--yes")[0] == 0
    assert person.copy.read_text() == text


def test_a_record_that_cannot_be_read_changes_nothing(memud: Memud, person: Person) -> None:
    """Guessing could take away what is the user's."""
    person.writes(_MINE)
    memud("openclaw", "install", "--yes")
    text = person.config.read_text()
    (person.folder / "memud" / "install.json").write_text('{"done": [')
    assert memud("openclaw", "uninstall", "--yes")[0] == 1
    assert person.config.read_text() == text


_names = st.sampled_from("abc")
_paths = st.lists(_names, min_size=1, max_size=3).map(tuple)
_values = st.recursive(
    st.integers(0, 2), lambda inner: st.dictionaries(_names, inner, max_size=3), max_leaves=6
)


@given(
    st.dictionaries(_names, _values, max_size=3), st.lists(st.tuples(_paths, st.integers(5, 7)), max_size=4)
)
def test_whatever_is_set_can_be_taken_back(value: dict[str, Any], wanted: list[tuple[Any, int]]) -> None:
    """The configuration is equal to what it was, key for key, whenever all edits could be made."""
    after, done = _tried(lambda: applied(value, [Edit("set", path, one) for path, one in wanted]), value)
    assert undone(after, done)[0] == value


def _tried(apply: Callable[[], Any], value: dict[str, Any]) -> Any:
    from cli.openclaw.configuration import UneditableError

    try:
        return apply()
    except UneditableError:
        return value, []


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"$include": "./base.json5"}, "openclaw.json"),
        ({"plugins": {"$include": "./plugins.json5"}}, "plugins"),
        ({"plugins": {"entries": {"memud": {"$include": "./memud.json5"}}}}, "plugins.entries.memud"),
    ],
)
def test_a_file_that_takes_in_another_is_left_alone(
    memud: Memud, person: Person, value: dict[str, Any], name: str
) -> None:
    """What stands in the other one is not seen here: what to add is printed, and status sends to OpenClaw."""
    before = person.writes(value)
    code, out, err = memud("openclaw", "install", "--yes")
    assert code == 1
    assert person.config.read_text() == before
    assert f"{name} takes in another file" in err
    assert '"allowConversationAccess": true' in out
    code, out, _ = memud("openclaw", "status")
    assert code == 1
    assert "openclaw memud status" in out


def test_a_file_that_is_taken_in_elsewhere_is_no_hindrance(memud: Memud, person: Person) -> None:
    """Channels may stand in a file of their own."""
    person.writes({"channels": {"$include": "./channels.json5"}})
    assert memud("openclaw", "install", "--yes")[0] == 0
    assert person.value["channels"] == {"$include": "./channels.json5"}


def test_a_copy_of_an_earlier_stay_is_told_and_renewed(memud: Memud, person: Person) -> None:
    """Who changed the file in between finds the old copy named, and at the next install a new one."""
    person.writes({"ui": {"seamColor": "red"}})
    memud("openclaw", "install", "--yes")
    person.writes({**person.value, "ui": {"seamColor": "blue"}})
    _, out, _ = memud("openclaw", "uninstall", "--yes")
    assert str(person.copy) in out
    memud("openclaw", "install", "--yes")
    assert json.loads(person.copy.read_text())["ui"] == {"seamColor": "blue"}
