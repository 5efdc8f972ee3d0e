"""OpenClaw's transcripts: only what people and the agent said to one another is brought in."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import apsw
import pytest

from cli.importing.formats import recognise
from cli.importing.found import Fault, Found, Passed, Place, Turn, Wishes
from cli.importing.openclaw import database, files
from tests.openclaw_home import (
    BEGUN_MS,
    SAID_IN_EVERY_TRAP,
    SESSION_ID,
    Script,
    envelope,
    pack,
    passed,
    said,
    with_every_trap,
    write_database,
    write_index,
)

PRIVATE = Wishes()


def _read(path: Path, wishes: Wishes = PRIVATE) -> list[Found]:
    return list(files.read(path, wishes))


def _main(folder: Path, **entry: object) -> None:
    write_index(folder, {"agent:main:main": {"sessionId": SESSION_ID, "chatType": "direct", **entry}})


def test_only_what_was_said_is_brought_in(tmp_path: Path) -> None:
    """Machine turns, tool results, copies, injected blocks and abandoned branches are passed over."""
    _main(tmp_path)
    found = _read(with_every_trap().write(tmp_path / f"{SESSION_ID}.jsonl"))
    assert tuple(said(found)) == SAID_IN_EVERY_TRAP
    assert passed(found) == {
        "abandoned": 2,
        "empty": 2,
        "flush": 2,
        "heartbeat": 1,
        "injected": 3,
        "mirror": 1,
        "redelivered": 1,
        "session_event": 2,
        "silent_reply": 1,
        "tool_result": 1,
    }


def test_a_turn_has_the_key_of_live_capture(tmp_path: Path) -> None:
    """Key, session, agent, time and zone are those that the plugin would have given."""
    _main(tmp_path)
    found = _read(with_every_trap().write(tmp_path / f"{SESSION_ID}.jsonl"))
    first, _, second = [one for one in found if isinstance(one, Turn)][:3]
    time_ms = BEGUN_MS + 4 * 60_000
    assert first.event["key"] == f"openclaw:{SESSION_ID}:{time_ms}:user"
    assert first.event["timestamp"] == time_ms // 1000
    assert first.scope == {"session_id": "agent:main:main", "agent_id": "main"}
    assert (first.event["tz"], second.event["tz"]) == ("Etc/GMT-1", "Etc/GMT-8")
    assert first.event["private"] is True


def test_a_message_without_time_is_known_by_its_words(tmp_path: Path) -> None:
    """Its key comes from role and bare words; its time from the record."""
    script = Script()
    script.put("message", message={"role": "user", "content": envelope("1") + "I row on Sundays"})
    (turn,) = [one for one in _read(script.write(tmp_path / "x.jsonl")) if isinstance(one, Turn)]
    # sha256 of "user\nI row on Sundays"
    assert turn.event["key"] == f"openclaw:{SESSION_ID}:628cf79078bf5e60:user"
    assert turn.event["timestamp"] == 1_772_960_460


@pytest.mark.parametrize("version", [None, 2, 3, 4, 99])
def test_every_version_is_read(version: int | None, tmp_path: Path) -> None:
    """v1 has neither ids nor parents; what is newer than we know is read as far as it is alike."""
    script = Script(version=version)
    script.user("I take the 8:10 train")
    script.answer("Noted.")
    assert len(said(_read(script.write(tmp_path / "x.jsonl")))) == 2


def test_broken_lines_cost_themselves_alone(tmp_path: Path) -> None:
    """A broken line in the middle and a torn one at the end are told by number; the chain goes on."""
    script = Script()
    for number in range(4):
        script.user(f"Sentence number {number}")
    lines = script.text.splitlines(keepends=True)
    lines[2] = "{broken\n"
    path = tmp_path / "x.jsonl"
    path.write_text("".join(lines) + '{"type":"message","id":"torn', encoding="utf-8")
    found = _read(path)
    assert [words for _, words in said(found)] == [f"Sentence number {number}" for number in (0, 2, 3)]
    assert [one for one in found if isinstance(one, Fault)] == [
        Fault(Place(str(path), 3), "import.not_json"),
        Fault(Place(str(path), 6), "import.torn"),
    ]


def test_a_rewound_conversation_ends_where_it_was_rewound_to(tmp_path: Path) -> None:
    """A leaf record chooses the branch; what follows it goes on from there."""
    script = Script()
    kept = script.user("Order the blue paint")
    script.user("Or rather the green one")
    script.put("leaf", targetId=kept)
    assert [words for _, words in said(_read(script.write(tmp_path / "a.jsonl")))] == ["Order the blue paint"]
    script.user("And two brushes")
    assert [words for _, words in said(_read(script.write(tmp_path / "b.jsonl")))] == [
        "Order the blue paint",
        "And two brushes",
    ]


def test_a_reset_ends_no_memory(tmp_path: Path) -> None:
    """What was said before /new in the same transcript is brought in, too."""
    script = Script()
    script.user("I work from Lisbon")
    script.put("reset")
    script.tip = None
    script.user("My desk is in the attic")
    assert len(said(_read(script.write(tmp_path / "x.jsonl")))) == 2


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("agent:main:telegram:group:-100", "session_group"),
        ("agent:main:discord:channel:42", "session_group"),
        ("agent:main:subagent:7", "session_subagent"),
        ("agent:main:cron:daily", "session_cron"),
        ("cron:daily", "session_cron"),
        ("hook:7", "session_hook"),
        ("agent:main:main:heartbeat", "session_heartbeat"),
        ("agent:main:internal-session-effects:skill-workshop-review_1", "session_internal"),
    ],
)
def test_only_private_sessions_are_brought_in(key: str, reason: str, tmp_path: Path) -> None:
    """Groups only when asked for, machines never; one reason for the whole session."""
    write_index(tmp_path, {key: {"sessionId": SESSION_ID}})
    path = with_every_trap().write(tmp_path / f"{SESSION_ID}.jsonl")
    assert _read(path) == [Passed(Place(str(path)), reason)]
    turns = [one for one in _read(path, Wishes(groups=True)) if isinstance(one, Turn)]
    assert bool(turns) is (reason == "session_group")
    assert not any(turn.event["private"] for turn in turns)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (envelope("1", is_group_chat=True) + "Who brings the cake?", "session_group"),
        ("[cron:7 daily] Write the digest", "session_cron"),
        ("[Subagent Context] You are a subagent. Task: count ships", "session_subagent"),
    ],
)
def test_a_session_without_index_is_judged_by_its_words(words: str, reason: str, tmp_path: Path) -> None:
    """An old transcript that no index names may be a group's or a machine's all the same."""
    script = Script()
    script.user(words)
    script.answer("All right.")
    assert passed(_read(script.write(tmp_path / f"{SESSION_ID}.jsonl"))) == {reason: 1}


def test_an_old_session_keeps_its_own_name_and_its_agent(tmp_path: Path) -> None:
    """What was reset before any index was written is a session by itself, of the agent whose folder it is."""
    script = Script()
    script.user("I collect stamps")
    path = script.write(tmp_path / "agents" / "coach" / "sessions" / f"{SESSION_ID}.jsonl.reset.2026-01-01")
    (turn,) = [one for one in _read(path) if isinstance(one, Turn)]
    assert turn.scope == {"session_id": f"openclaw:{SESSION_ID}", "agent_id": "coach"}


def test_a_group_s_speakers_are_named(tmp_path: Path) -> None:
    """What is said in a group carries its sender and is not private."""
    write_index(tmp_path, {"agent:main:telegram:group:-1": {"sessionId": SESSION_ID}})
    script = Script()
    script.user(envelope("1") + "I bring the cake")
    path = script.write(tmp_path / f"{SESSION_ID}.jsonl")
    (turn,) = [one for one in _read(path, Wishes(groups=True)) if isinstance(one, Turn)]
    assert (turn.event["sender"], turn.event["private"]) == ("77", False)


def test_reset_and_topic_files_are_read_and_deleted_ones_on_request(tmp_path: Path) -> None:
    """The name tells what became of a transcript; a topic's file is found in the index by its name."""
    script = Script()
    script.user("I collect stamps")
    topic = f"{SESSION_ID}-topic-9.jsonl"
    key = "agent:main:telegram:group:-1:topic:9"
    write_index(tmp_path, {key: {"sessionId": "other", "sessionFile": rf"C:\oc\sessions\{topic}"}})
    assert passed(_read(script.write(tmp_path / topic))) == {"session_group": 1}
    reset = script.write(tmp_path / f"{SESSION_ID}.jsonl.reset.2026-03-09T04-00-00.000Z")
    assert len(said(_read(reset))) == 1
    gone = script.write(tmp_path / f"{SESSION_ID}.jsonl.deleted.2026-03-09T04-00-00.000Z.zst")
    assert passed(_read(gone)) == {"session_deleted": 1}
    assert len(said(_read(gone, Wishes(deleted=True)))) == 1


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.zst", "openclaw-agent.sqlite"])
def test_a_transcript_is_recognised_by_its_content(name: str, tmp_path: Path) -> None:
    """Plain, packed, or as rows."""
    path = tmp_path / name
    if name.endswith("sqlite"):
        write_database(path, [])
    else:
        with_every_trap().write(path)
    kind = recognise(path)
    assert kind is not None
    assert kind.name == ("openclaw-db" if name.endswith("sqlite") else "openclaw")


@pytest.mark.parametrize("how", ["plain", "packed", "cold"])
def test_the_database_says_the_same_as_the_file(how: str, tmp_path: Path) -> None:
    """Rows, packed rows and cold files give the same events with the same keys."""
    script = with_every_trap()
    sessions = [("agent:main:main", SESSION_ID, script.records), ("hook:1", "h", script.records)]
    path = write_database(
        tmp_path / "agent" / "openclaw-agent.sqlite", sessions, packed=how == "packed", cold=how == "cold"
    )
    _main(tmp_path)
    rows = [one for one in database.read(path, PRIVATE) if isinstance(one, Turn)]
    lines = [one for one in _read(script.write(tmp_path / f"{SESSION_ID}.jsonl")) if isinstance(one, Turn)]
    assert [(turn.scope, turn.event) for turn in rows] == [(turn.scope, turn.event) for turn in lines]


def test_damage_in_a_database_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    """A packed row that can't be unpacked, and a cold file that is gone."""
    script = Script()
    script.user("I swim on Mondays")
    script.user("I run on Fridays")
    packed = write_database(tmp_path / "a.sqlite", [("agent:main:main", "s", script.records)], packed=True)
    connection = apsw.Connection(str(packed))
    connection.execute("UPDATE transcript_events SET event_zstd = x'00ff' WHERE seq = 1")
    connection.execute("INSERT INTO session_windows VALUES ('c', 'agent:main:telegram:direct:1', 'direct')")
    connection.execute("INSERT INTO session_transcript_cold_archives VALUES ('c', 'no.zst', 'file', NULL)")
    connection.close()
    found = list(database.read(packed, PRIVATE))
    assert [words for _, words in said(found)] == ["I run on Fridays"]
    faults = [(one.place.file, one.place.line, one.reason) for one in found if isinstance(one, Fault)]
    assert faults == [(f"{packed}#s", 2, "import.not_json"), (f"{packed}#c", None, "import.unreadable")]


def test_a_row_of_strange_types_costs_itself_alone(tmp_path: Path) -> None:
    """SQLite keeps any type in any column, and bytes that are no text under that name."""
    path = tmp_path / "a.sqlite"
    good = '{"type":"message","message":{"role":"user","content":"I swim on Mondays"}}'
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE transcript_events (session_id, seq, event_json, created_at)")
    rows: list[tuple[Any, Any]] = [("a", b"\xff"), (None, 7), (2, b'"\xff"'), (3, good)]
    connection.executemany("INSERT INTO transcript_events VALUES ('s', ?, ?, 1)", rows)
    connection.execute("UPDATE transcript_events SET event_json = CAST(event_json AS TEXT) WHERE seq = 2")
    connection.close()
    found = list(database.read(path, PRIVATE))
    assert [words for _, words in said(found)] == ["I swim on Mondays"]
    assert [one.reason for one in found if isinstance(one, Fault)] == ["import.not_json"] * 3


def test_a_name_that_is_no_text_is_told(tmp_path: Path) -> None:
    """A database whose sessions can't be named is damaged; other files are read all the same."""
    path = write_database(tmp_path / "a.sqlite", [("agent:main:main", "s", Script().records)])
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE transcript_events SET session_id = CAST(x'ff' AS TEXT)")
    connection.close()
    found = list(database.read(path, PRIVATE))
    assert [one.reason for one in found if isinstance(one, Fault)] == ["import.broken_database"]


def test_a_packed_file_that_breaks_off_gives_what_it_holds(tmp_path: Path) -> None:
    """Half an archive is told; it does not stop the import."""
    path = tmp_path / f"{SESSION_ID}.jsonl.zst"
    packed = pack(with_every_trap().text.encode())
    path.write_bytes(packed[: len(packed) // 2])
    found = _read(path)
    assert [one.reason for one in found if isinstance(one, Fault)][-1] == "import.broken_archive"


def test_a_large_transcript_streams(tmp_path: Path) -> None:
    """Memory does not grow with the file, nor with its abandoned branches."""
    path = tmp_path / f"{SESSION_ID}.jsonl"
    words = "The lighthouse keeper counts ships. " * 60
    with path.open("w", encoding="utf-8") as out:
        out.write(json.dumps(Script().records[0]) + "\n")
        for number in range(8_000):
            message = {"role": "user", "content": f"{number} {words}", "timestamp": BEGUN_MS + number}
            parent = None if number == 0 else f"{number - 1:08x}"
            record = {"type": "message", "id": f"{number:08x}", "parentId": parent, "message": message}
            out.write(json.dumps(record) + "\n")
    tracemalloc.start()
    count = sum(isinstance(one, Turn) for one in files.read(path, PRIVATE))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 8_000
    assert peak < path.stat().st_size / 4
