"""`memud import` against a real daemon: everything once, nothing private in public, sources untouched."""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from memud_client import Client

from cli.app import main
from tests.daemons import DaemonProcess
from tests.openclaw_home import (
    SAID_IN_EVERY_TRAP,
    SESSION_ID,
    Script,
    with_every_trap,
    write_database,
    write_index,
)
from tests.person import Person

Bring = Callable[..., Any]
SAMPLES = Path(__file__).parents[3] / "shared" / "data" / "openclaw_samples"


@pytest.fixture
def bring(
    long_memory: DaemonProcess,
    person: Person,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Bring:
    """`memud import` for the person of this test; its report, after checking the exit code."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def run(path: Path, *options: str, code: int = 0) -> Any:
        common = ("--json", "--user", person.user, "--socket", str(long_memory.socket_path))
        ended = main(["import", str(path), *options, *common])
        shown = capsys.readouterr()
        assert ended == code, shown.err
        return json.loads(shown.out)

    return run


def _home(folder: Path) -> Path:
    """A home with a current and an old transcript, a group's, and a cron job's."""
    agent = folder / "agents" / "main"
    write_database(
        agent / "agent" / "openclaw-agent.sqlite",
        [
            ("agent:main:main", SESSION_ID, with_every_trap().records),
            ("agent:main:telegram:group:-1", "g", with_every_trap().records),
            ("agent:main:cron:daily", "c", with_every_trap().records),
        ],
    )
    write_index(agent / "sessions", {"agent:main:main": {"sessionId": SESSION_ID}})
    with_every_trap().write(agent / "sessions" / f"{SESSION_ID}.jsonl", tail='{"type":"mess')
    old = Script("00000000-old")
    old.user("I keep bees on the roof")
    old.write(agent / "sessions" / "00000000-old.jsonl.reset.2026-01-01T00-00-00.000Z")
    return folder


def _prints(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _stored(client: Client) -> int:
    return int(client.stats()["resources"])


def test_a_home_is_brought_in_once(bring: Bring, person: Person, tmp_path: Path) -> None:
    """Two sources of one session are one; a second import adds nothing; the torn line is told."""
    home = _home(tmp_path)
    before = _prints(home)
    first = bring(home, code=1)
    count = len(SAID_IN_EVERY_TRAP) + 1
    assert (first["accepted"], first["duplicates"], first["passed"]["twice"]) == (count, 0, count - 1)
    assert first["passed"]["session_group"] == first["passed"]["session_cron"] == 1
    torn = {"reason": "import.torn", "line": len(with_every_trap().records) + 1, "fields": {}}
    assert [{**torn, "file": fault["file"]} for fault in first["bad"]] == first["bad"]
    second = bring(home, code=1)
    assert (second["accepted"], second["duplicates"]) == (0, count)
    assert _stored(person.client) == count
    assert _prints(home) == before


def test_a_dry_run_writes_nothing_and_tells_what_is_new(bring: Bring, person: Person, tmp_path: Path) -> None:
    """Per source its format, sessions, events and span; in all what is new and what is known."""
    path = with_every_trap().write(tmp_path / f"{SESSION_ID}.jsonl")
    planned = bring(path, "--dry-run")
    assert _stored(person.client) == 0
    count = len(SAID_IN_EVERY_TRAP)
    assert (planned["dry_run"], planned["accepted"], planned["duplicates"]) == (True, count, 0)
    (source,) = planned["sources"]
    assert (source["format"], source["sessions"], source["events"]) == ("openclaw", 1, count)
    assert source["first"] < source["last"]
    bring(path)
    assert bring(path, "--dry-run")["duplicates"] == count


def test_what_was_captured_live_is_not_doubled(bring: Bring, person: Person, tmp_path: Path) -> None:
    """The key is the same; where OpenClaw told the plugin another time than it noted, the words tell."""
    script = Script()
    script.user("I keep bees on the roof")
    script.user("And two goats in the yard")
    write_index(tmp_path, {"agent:main:main": {"sessionId": SESSION_ID}})
    path = script.write(tmp_path / f"{SESSION_ID}.jsonl")
    first, second = (record["message"]["timestamp"] for record in script.records[1:])
    events = [
        _live("I keep bees on the roof", first),
        _live("And two goats in the yard", second + 800),
    ]
    person.client.call("capture", events=events, session_id="agent:main:main", agent_id="main")
    report = bring(path)
    assert (report["accepted"], report["duplicates"]) == (0, 2)


def _live(words: str, time_ms: int) -> dict[str, Any]:
    key = f"openclaw:{SESSION_ID}:{time_ms}:user"
    return {"key": key, "role": "user", "content": words, "timestamp": time_ms // 1000}


def test_groups_come_in_as_public_and_secrets_masked(bring: Bring, person: Person, tmp_path: Path) -> None:
    """`--groups`: what was said there may be told there; a key that was pasted is never stored."""
    secret = "sk-" + "proj-" + "Zx9" * 16
    script = Script()
    script.user(f"The deploy key is {secret} by the way")
    write_index(tmp_path, {"agent:main:telegram:group:-1": {"sessionId": SESSION_ID}})
    path = script.write(tmp_path / f"{SESSION_ID}.jsonl")
    assert bring(path)["passed"] == {"session_group": 1}
    assert bring(path, "--groups")["accepted"] == 1
    (found,) = person.client.call("search", query="deploy key", private=False)["results"]
    assert "[redacted:" in found["memory"]
    assert secret not in found["memory"]


def test_memories_of_mem0_keep_their_time_and_stay_forgotten(
    bring: Bring, person: Person, tmp_path: Path
) -> None:
    """Twice is once; what was forgotten since is left out and told."""
    memory = {"id": "a", "memory": "Grows three kinds of beans", "created_at": "2026-03-08T09:05:00+00:00"}
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps({"results": [memory]}))
    assert bring(path, "--dry-run")["sources"][0]["facts"] == 1
    assert bring(path)["facts_added"] == 1
    assert bring(path)["facts_known"] == 1
    (item,) = person.client.call("list")["results"]
    assert (item["memory"], item["created_at"]) == ("Grows three kinds of beans", 1_772_960_700)
    person.client.call("forget", id=item["id"])
    assert [left["reason"] for left in bring(path, code=1)["skipped"]] == ["forgotten"]


def test_a_format_can_be_forced(bring: Bring, tmp_path: Path) -> None:
    """A file that is not recognised is told; named, it is read as far as it goes."""
    path = tmp_path / "notes.txt"
    path.write_text("hello\n")
    assert bring(path, code=1)["bad"][0]["reason"] == "import.foreign"
    assert bring(path, "--format", "memud", code=1)["bad"][0]["reason"] == "import.not_json"
    assert main(["import", str(path), "--format", "diary"]) == 64


def test_what_the_daemon_refuses_costs_itself_alone(bring: Bring, person: Person, tmp_path: Path) -> None:
    """A message too long for the wire, a name too long for a session, notes in a folder of a strange name."""
    events: list[dict[str, Any]] = [
        {"role": "user", "content": "My bike is red", "key": "k1"},
        {"role": "user", "content": "tea " * 1_500_000, "key": "k2"},
        {"role": "user", "content": "My boat is blue", "key": "k3"},
        {"role": "user", "content": "My cat is grey", "key": "k4", "session_id": "s" * 300},
        {"role": "user", "content": "我的车是白色的", "key": "k5"},
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    strange = tmp_path / "b\x1b"
    strange.mkdir()
    (strange / "MEMORY.md").write_text("- plays chess\n")
    report = bring(tmp_path, code=1)
    assert (report["accepted"], report["facts_added"]) == (3, 0)
    told = [(Path(one["file"]).name, one["line"], one["reason"]) for one in report["skipped"]]
    assert told == [("a.jsonl", 2, "invalid"), ("a.jsonl", 4, "invalid"), ("MEMORY.md", None, "invalid")]
    assert _stored(person.client) >= 3


def test_a_record_too_long_for_the_wire_costs_itself_alone(bring: Bring, tmp_path: Path) -> None:
    """The records of an export around it come back."""
    path = tmp_path / "export.jsonl"
    names = [{"type": "category", "name": name, "made_by": "person"} for name in ("茶", "boats")]
    records = [names[0], {"type": "turn", "content": "tea " * 1_500_000}, names[1]]
    lines = [{"type": "export", "version": 2}, *records]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = bring(path, code=1)
    assert report["restored"] == 2
    assert [(one["line"], one["reason"]) for one in report["skipped"]] == [(3, "invalid")]


@pytest.mark.slow
def test_the_sample_home_gives_what_is_expected(bring: Bring, person: Person) -> None:
    """A correction, a Chinese preference, a decision; nothing of an abandoned branch, no boilerplate."""
    if not SAMPLES.is_dir():
        pytest.skip("the sample files are not on this machine")
    bring(SAMPLES, code=1)
    person.wait()
    facts = {
        item["memory"].rstrip("."): item["memory_type"] for item in person.client.call("list")["results"]
    }
    assert facts["I always mean the price in EUR"] == "correction"
    assert facts["我早上九点前不接电话，有事发微信"] == "preference"
    assert facts["Let's go with Postgres for the invoices service, not MySQL"] == "decision"
    assert not any(word in fact for fact in facts for word in ("MongoDB", "HEARTBEAT", "flush", "untrusted"))


def _workspace(folder: Path) -> Path:
    workspace = folder.resolve() / "workspace"
    (workspace / "memory" / ".dreams").mkdir(parents=True)
    (workspace / "MEMORY.md").write_text(
        "# M\n## Home\n- NAS: nas.lan\n- ~~NAS: old.lan~~\n", encoding="utf-8"
    )
    (workspace / "USER.md").write_text("- **Name:** Alex\n- **Pronouns:** _(optional)_\n", encoding="utf-8")
    (workspace / "DREAMS.md").write_text("- dreamt\n", encoding="utf-8")
    (workspace / "memory" / "2026-03-08.md").write_text("## 晚上\n- 讨论了发票\n", encoding="utf-8")
    (workspace / "memory" / ".dreams" / "2026-03-08.md").write_text("- dreamt\n", encoding="utf-8")
    return workspace


def _day(moment: int) -> str:
    return datetime.fromtimestamp(moment).astimezone().date().isoformat()


def test_a_workspace_s_notes_are_brought_in_and_kept_in_step(
    bring: Bring, person: Person, tmp_path: Path
) -> None:
    """Each line once, dreams left alone, nothing written; MEMORY.md and USER.md are watched from then on."""
    workspace = _workspace(tmp_path)
    before = _prints(workspace)
    planned = bring(workspace, "--dry-run")
    assert (sum(source["facts"] for source in planned["sources"]), planned["watched"]) == (3, 2)
    daily = next(source for source in planned["sources"] if source["file"].endswith("2026-03-08.md"))
    assert [_day(daily[end]) for end in ("first", "last")] == ["2026-03-08", "2026-03-08"]
    first = bring(workspace)
    assert (first["facts_added"], first["facts_known"], first["passed"]["struck"]) == (3, 0, 1)
    assert sorted(person.live()) == ["NAS: nas.lan", "Name: Alex", "讨论了发票"]
    second = bring(workspace)
    assert (second["facts_added"], second["facts_known"]) == (0, 3)
    watched = person.client.call("notes.list")["results"]
    assert [Path(file["path"]).name for file in watched] == ["MEMORY.md", "USER.md"]
    assert _prints(workspace) == before
    (workspace / "MEMORY.md").write_text("# M\n## Home\n- NAS: new.lan\n", encoding="utf-8")
    third = bring(workspace)
    assert (third["facts_added"], third["facts_ended"]) == (1, 0)
    assert "NAS: new.lan" in person.live()
    assert "NAS: nas.lan" not in person.live()


def test_notes_can_be_taken_in_once_and_not_watched(bring: Bring, person: Person, tmp_path: Path) -> None:
    """By a wish; a link to another file is told and not followed."""
    workspace = _workspace(tmp_path)
    (workspace / "sub").mkdir()
    (tmp_path / "other.md").write_text("- secret\n", encoding="utf-8")
    (workspace / "sub" / "MEMORY.md").symlink_to(tmp_path / "other.md")
    report = bring(workspace, "--no-watch")
    assert (report["watched"], report["passed"]["note_link"]) == (0, 1)
    assert person.client.call("notes.list")["results"] == []
