"""The commands that work on files and on this machine: import, export, install, doctor, watch."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from memud_client.testing import Connection, RefusedError, SocketServer, StubDaemon

from cli import exits
from tests.answers import CAPTURED, EXPORTED, HEALTH, STATS, Memud
from tests.answers import ITEM as LISTED
from tests.openclaw_home import with_every_trap
from tests.real_vss import needs_vss

NOTICE = {"topic": "health", "cursor": 2, "user_id": None, "payload": {"status": "ok"}}


ANSWERS: dict[str, Any] = {
    "capture": CAPTURED,
    "export": EXPORTED,
    "import": {"added": 3, "known": 0, "skipped": []},
    "health": HEALTH,
    "stats": {"items": 12, "resources": 34, "proactive": 1},
}


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[StubDaemon]:
    with StubDaemon(tmp_path / "s", ANSWERS) as stub:
        yield stub


def _events(path: Path, *events: object) -> str:
    lines = (event if isinstance(event, str) else json.dumps(event) for event in events)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_import_reports_bad_lines_by_number(memud: Memud, daemon: StubDaemon, tmp_path: Path) -> None:
    """What can be kept is kept, and the exit code tells that something was not."""
    good = {"role": "user", "content": "茶", "session_id": "s1", "user_id": "ann"}
    file = _events(tmp_path / "f", good, "oops", {"role": "user"})
    code, out, err = memud("import", file)
    assert code == 1
    assert out.splitlines()[0] == "3 = new 1 + known 0 + facts 0 + passed 0 + bad 2"
    assert err == f"{file}:2: not a JSON object\n{file}:3: role or content is missing\n"
    assert [(params["user_id"], params["session_id"]) for _, params in daemon.calls] == [("ann", "s1")]


def test_import_waits_for_a_busy_daemon(memud: Memud, tmp_path: Path) -> None:
    """A full queue is waited for as long as the daemon says, not given up."""
    refusals = [RefusedError("full", reason="busy", retriable=True, retry_after_ms=1)] * 2

    def capture(params: object) -> Any:
        if refusals:
            raise refusals.pop()
        return CAPTURED

    with StubDaemon(tmp_path / "x", {"capture": capture}) as stub:
        path = _events(tmp_path / "f", {"role": "user", "content": "x"})
        code, out, _ = memud("import", path, "--json", "--socket", str(stub.path))
    assert code == 0
    assert json.loads(out)["accepted"] == 1


def test_an_export_can_be_imported(memud: Memud, daemon: StubDaemon, tmp_path: Path) -> None:
    """What was written is handed back record by record, for the user who imports."""
    file = tmp_path / "out.jsonl"
    code, _, told = memud("export", str(file))
    assert code == 0
    assert "add --all for them: 33" in told
    header, *records = [json.loads(line) for line in file.read_text().splitlines()]
    assert header == {"type": "export", "version": 2}
    assert file.stat().st_mode & 0o077 == 0
    code, shown, _ = memud("import", str(file), "--user", "bob")
    assert (code, "in the background" in shown) == (0, False)  # the facts came along
    method, params = daemon.calls[-1]
    assert (method, params["user_id"], params["records"]) == ("import", "bob", records)


def test_an_export_for_a_person_and_for_mem0(
    memud: Memud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Markdown by category with days, in the reader's language; JSON as mem0 gives it."""
    _, shown, _ = memud("export", "--format", "markdown")
    assert shown == "# What memud remembers\n\n## drinks\n\n- prefers tea (2026-05-28) [pinned]\n"
    _, shown, _ = memud("export", "--format", "mem0", "--user", "bob")
    (memory,) = json.loads(shown)["results"]
    assert (memory["memory"], memory["user_id"], memory["run_id"]) == ("prefers tea", "bob", "s1")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert memud("export", "--format", "markdown")[1].startswith("# memud 的记忆\n")


def test_an_export_that_fails_leaves_the_old_file(memud: Memud, tmp_path: Path) -> None:
    """Half an export never replaces a whole one."""
    file = tmp_path / "out.jsonl"
    file.write_text("old")
    with StubDaemon(tmp_path / "x", {"export": ANSWERS["export"]}) as stub:
        assert memud("export", str(file), "--socket", str(stub.path))[0] != 0
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.glob("out*")] == ["out.jsonl"]


def test_a_user_that_is_named_wins_over_the_lines_of_an_import(
    memud: Memud, daemon: StubDaemon, tmp_path: Path
) -> None:
    """All goes to that user, and the report says how much was another's."""
    lines = [{"role": "user", "content": "茶", "user_id": user} for user in ("ann", "bob", None)]
    file = _events(tmp_path / "f", *lines)
    _, _, err = memud("import", file, "--user", "bob")
    assert {params["user_id"] for _, params in daemon.calls} == {"bob"}
    assert err == "Lines that name another user, stored for bob as you asked: 1\n"


def test_an_import_reads_times_as_people_write_them(memud: Memud, daemon: StubDaemon, tmp_path: Path) -> None:
    """ISO times are taken as `send --at` takes them; what is no time is a bad line."""
    times = ["2026-05-01T18:30:00+00:00", 1_777_660_200, "yesterday"]
    events = [{"role": "user", "content": "tea", "timestamp": time} for time in times]
    file = _events(tmp_path / "f", *events)
    code, _, err = memud("import", file)
    assert code == 1
    assert err == f"{file}:3: yesterday is not a time\n"
    assert [event["timestamp"] for event in daemon.calls[0][1]["events"]] == [1_777_660_200] * 2


@pytest.mark.parametrize(
    ("arguments", "stream", "code"),
    [
        (["list"], "stdout", 0),
        (["list", "--json"], "stdout", 0),
        (["export"], "stdout", 64),
        (["import", "FILE"], "stderr", 0),
    ],
    ids=str,
)
def test_a_closed_output_gives_no_traceback(
    arguments: list[str], stream: str, code: int, tmp_path: Path
) -> None:
    """A script may close what it does not read; the exit code still tells how it went."""
    answers = {**ANSWERS, "list": {"results": [LISTED], "cursor": None}}
    file = _events(tmp_path / "f", {"role": "user", "content": "tea"})
    words = [file if word == "FILE" else word for word in arguments]
    line = "import sys; sys.{0} = None; from cli.app import main; sys.exit(main(sys.argv[1:]))"
    with StubDaemon(tmp_path / "x", answers) as stub:
        ended = subprocess.run(
            [sys.executable, "-c", line.format(stream), *words, "--socket", str(stub.path)],
            capture_output=True,
            text=True,
            check=False,
        )
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr


@pytest.fixture
def user_bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine where `systemctl --user` would find its manager."""
    private, systemctl = tmp_path / "run" / "systemd" / "private", tmp_path / "bin" / "systemctl"
    for file in (private, systemctl):
        file.parent.mkdir(parents=True)
        file.touch(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setenv("PATH", str(systemctl.parent), prepend=os.pathsep)


def test_without_systemds_user_bus_the_next_step_is_memud_run(
    memud: Memud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container nobody is told to run what must fail."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "none"))
    out = memud("install")[1]
    assert "memud run" in out
    assert "daemon-reload" not in out


@pytest.mark.usefixtures("user_bus")
def test_install_writes_units_for_this_installation_once(memud: Memud, tmp_path: Path) -> None:
    """Dry run writes nothing, the first run writes, the second changes nothing, uninstall takes them away."""
    folder = tmp_path / ".config" / "systemd" / "user"
    assert "would write" in memud("install", "--dry-run")[1]
    assert not folder.exists()
    assert "systemctl --user enable --now memud.socket memud.service" in memud("install")[1]
    service = (folder / "memud.service").read_text()
    assert "@MEMUD@" not in service
    assert f"ExecStart={Path(sys.executable).with_name('memud')} run" in service
    assert json.loads(memud("install", "--json")[1])["written"] == []
    assert "would remove" in memud("uninstall", "--dry-run")[1]
    assert (folder / "memud.socket").exists()
    assert "removed" in memud("uninstall")[1]
    assert list(folder.iterdir()) == []
    assert "not there" in memud("uninstall")[1]


def test_uninstall_undoes_enable_before_the_units_go(memud: Memud, tmp_path: Path) -> None:
    """No link to a missing unit is left, and what it tells to run works without the unit files."""
    memud("install")
    folder = tmp_path / ".config" / "systemd" / "user"
    for target, name in (("default.target", "memud.service"), ("sockets.target", "memud.socket")):
        (folder / f"{target}.wants").mkdir()
        (folder / f"{target}.wants" / name).symlink_to(folder / name)
    other = folder / "default.target.wants" / "other.service"
    other.touch()
    _, out, _ = memud("uninstall")
    assert list(folder.rglob("memud*")) == []
    assert other.exists()
    assert out.index("default.target.wants") < out.index("removed: " + str(folder / "memud.service"))
    assert "systemctl --user stop memud.socket memud.service" in out
    assert "disable" not in out


def test_install_makes_sure_that_chinese_dates_can_be_read(memud: Memud) -> None:
    """The service may not write where the library unpacks its dictionaries, the person who installs may."""
    code = "from cli.app import main; main(['install']); import sys; print('jionlp' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "True"


def test_doctor_says_what_to_do_for_each_fault(
    memud: Memud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A degraded daemon and an open folder are named with their cure, and the exit code is not 0."""
    state = tmp_path / "state"
    state.mkdir()
    state.chmod(0o755)
    monkeypatch.setenv("MEMUD_STATE_DIR", str(state))
    monkeypatch.setenv("MEMUD_EMBED__PROVIDER", "none")
    code, out, _ = memud("doctor")
    assert code == 1
    assert f"chmod 700 {state}" in out
    assert "the embedder can't load" in out


@pytest.mark.parametrize(
    ("language", "said"), [("C.UTF-8", "Anthropic refuses the key"), ("zh_CN.UTF-8", "Anthropic 拒绝了密钥")]
)
def test_doctor_says_why_no_facts_are_drawn(
    memud: Memud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    """By what the daemon knows; the keys are in its environment, not in this shell's."""
    monkeypatch.setenv("MEMUD_EMBED__PROVIDER", "none")
    monkeypatch.setenv("LC_ALL", language)
    extractor = {
        "name": "anthropic/claude-sonnet-5-5",
        "mode": "Anthropic refuses the key",
        "breaker": "open",
    }
    with StubDaemon(tmp_path / "x", {"health": {**HEALTH, "extractor": extractor}}) as stub:
        code, out, _ = memud("doctor", "--socket", str(stub.path))
    assert code == 1
    assert said in out


BUILDING = {
    "backend": "exact",
    "size": 1_200,
    "bytes": 3 * 2**20,
    "building": {"backend": "vss", "done": 300, "total": 1_200},
}
APPROXIMATE = {"backend": "faiss", "size": 1_200, "bytes": 3 * 2**20, "recall": 0.9912}


@pytest.mark.parametrize(
    ("language", "index", "said"),
    [
        (
            "C.UTF-8",
            BUILDING,
            "exact, 1,200 vectors, 3 MiB of memory; vss is being built: 300 of 1200 vectors (25%)\n",
        ),
        ("C.UTF-8", APPROXIMATE, "faiss, 1,200 vectors, 3 MiB of memory, finds 99.1% of the true nearest\n"),
        ("zh_CN.UTF-8", BUILDING, "占内存 3 MiB；正在建立 vss：1200 个向量中已完成 300 个（25%）\n"),
        ("zh_CN.UTF-8", APPROXIMATE, "faiss，1,200 个向量，占内存 3 MiB，能找到 99.1% 的真实近邻\n"),
    ],
)
def test_status_tells_of_the_index(
    memud: Memud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, index: Any, said: str
) -> None:
    """What it takes, what it finds if it is approximate, and how far another one is."""
    monkeypatch.setenv("LC_ALL", language)
    with StubDaemon(tmp_path / "x", {"health": {**HEALTH, "index": index}, "stats": STATS}) as stub:
        code, out, _ = memud("status", "--socket", str(stub.path))
    assert code == 0
    assert said in out


CHANGING = {
    "name": "late-model",
    "dim": 8,
    "mode": "changing",
    "pending": 75,
    "done": 25,
    "total": 100,
    "older": [{"name": "early-model", "vectors": 75, "mode": "ok"}],
}
LOST = {**CHANGING, "older": [{"name": "early-model", "vectors": 75, "mode": "lost"}]}


@pytest.mark.parametrize(
    ("language", "embedder", "said"),
    [
        (
            "C.UTF-8",
            CHANGING,
            "25 of 100 texts have its vectors (25%); the model before answers for the others",
        ),
        ("C.UTF-8", LOST, "late-model (changing), 25 of 100 texts have its vectors (25%)\n"),
        ("zh_CN.UTF-8", CHANGING, "100 条文本中已换新向量 25 条（25%）；其余仍由原模型应答"),
        ("zh_CN.UTF-8", LOST, "late-model（更换中），100 条文本中已换新向量 25 条（25%）\n"),
    ],
)
def test_status_says_how_far_a_change_of_the_model_is(
    memud: Memud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, embedder: Any, said: str
) -> None:
    """In texts and in percent; a model before that can't be opened answers for none."""
    monkeypatch.setenv("LC_ALL", language)
    answers = {"health": {**HEALTH, "embedder": embedder}, "stats": STATS}
    with StubDaemon(tmp_path / "x", answers) as stub:
        code, out, _ = memud("status", "--socket", str(stub.path))
    assert code == 0
    assert said in out


@pytest.mark.parametrize(
    ("language", "limit", "said"),
    [
        ("C.UTF-8", 1_000_000, "paid models today: 20,258 of 1,000,000 tokens"),
        ("C.UTF-8", None, "paid models today: 20,258 tokens, no limit"),
        ("zh_CN.UTF-8", 1_000_000, "今日付费模型用量：1,000,000 个 token 中已用 20,258 个"),
        ("zh_CN.UTF-8", None, "今日付费模型用量：20,258 个 token，不设上限"),
    ],
)
def test_status_says_what_of_the_budget_is_used(
    memud: Memud,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    limit: int | None,
    said: str,
) -> None:
    """With the limit, where there is one."""
    monkeypatch.setenv("LC_ALL", language)
    budget = {"day": "2026-05-28", "used": 20_258, "limit": limit}
    with StubDaemon(tmp_path / "x", {"health": {**HEALTH, "budget": budget}, "stats": STATS}) as stub:
        code, out, _ = memud("status", "--socket", str(stub.path))
    assert code == 0
    assert said in out


@needs_vss
@pytest.mark.parametrize(
    ("language", "said"), [("C.UTF-8", "vector0.so can't be read"), ("zh_CN.UTF-8", "向量索引：无法读取")]
)
def test_doctor_says_what_the_configured_index_lacks(
    memud: Memud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    """Here a package with nothing in it; what to install stands below."""
    (tmp_path / "sqlite_vss").mkdir()
    (tmp_path / "sqlite_vss" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("MEMUD_INDEX__BACKEND", "vss")
    monkeypatch.setenv("LC_ALL", language)
    code, out, _ = memud("doctor")
    assert code == 1
    assert said in out
    assert "pip install 'memud[vss]'" in out


def test_doctor_is_content_with_a_good_machine(
    memud: Memud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 0 only when all is fine."""
    monkeypatch.setenv("MEMUD_EMBED__PROVIDER", "none")
    tmp_path.chmod(0o700)
    with StubDaemon(tmp_path / "x", {"health": {**HEALTH, "status": "ok", "reasons": []}}) as stub:
        code, out, _ = memud("doctor", "--json", "--socket", str(stub.path))
    findings = json.loads(out)
    assert [finding for finding in findings if not finding["ok"]] == []
    assert "dates" in {finding["name"] for finding in findings}
    assert code == 0


HEAVY = {
    "apsw",
    "asyncio",
    "config",
    "daemon",
    "evaluation",
    "memory",
    "msgspec",
    "numpy",
    "openai",
    "pydantic",
    "rich",
    "typer.rich_utils",
    "cli.doctor",
    "cli.eval",
    "cli.openclaw.command",
    "cli.transfer",
}


@pytest.mark.parametrize("line", [["status"], ["status", "--user", "ann", "--json"]])
def test_a_short_command_loads_no_heavy_part(daemon: StubDaemon, line: list[str]) -> None:
    """`memud status` is quick: it knows the client, and nothing of the daemon or of the other commands."""
    code = (
        "import sys; from cli.app import main; code = main([*sys.argv[2:], '--socket', sys.argv[1]]);"
        f"print(code, sorted({HEAVY!r} & set(sys.modules)))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code, str(daemon.path), *line], capture_output=True, text=True, check=True
    )
    assert shown.stdout.splitlines()[-1] == "0 []"


def test_the_version_is_shown(memud: Memud) -> None:
    """For a bug report."""
    assert memud("--version")[1] == "memud 0.1.0\n"


def test_watch_streams_one_json_notice_a_line(tmp_path: Path) -> None:
    """A program reads notices as they come, until it ends the command."""

    def talk(connection: Connection) -> None:
        request = connection.read()
        assert request is not None
        if request["method"] == "proactive.next":
            connection.reply(request, {"results": [NOTICE["payload"]]})
        else:
            connection.reply(request, {"topics": ["proactive"], "cursor": 1})
            connection.notify("event", NOTICE)
        connection.read()

    with SocketServer(tmp_path / "s", talk) as server:
        command = [sys.executable, "-m", "cli", "watch", "--json", "--socket", str(server.path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watching:
            assert watching.stdout is not None
            assert json.loads(watching.stdout.readline())["cursor"] == 2
            watching.terminate()


def test_watch_shows_a_prediction_to_a_person(tmp_path: Path) -> None:
    """The text, why and on what evidence, and how to answer; what another channel has shown is left out."""
    item = {
        "id": "p-1",
        "detector": "commitment",
        "text": "给牙医打电话",
        "why": "you asked to be reminded",
        "probability": 0.8,
        "evidence": [{"resource_id": "t-1", "item_id": None, "key": "k1"}],
        "due_at": None,
        "expires_at": 1_780_200_000,
        "state": "open",
    }

    def talk(connection: Connection) -> None:
        request = connection.read()
        assert request is not None
        if request["method"] == "proactive.next":
            wanted = request["params"]["ids"]
            connection.reply(request, {"results": [item] if wanted == ["p-1"] else []})
        else:
            other = {**item, "id": "p-0", "text": "shown elsewhere"}
            for cursor, payload in enumerate((other, item), 3):
                notice = {"topic": "proactive", "cursor": cursor, "user_id": "ann", "payload": payload}
                connection.notify("event", notice)
        while (request := connection.read()) is not None:
            connection.reply(request, {"results": [item]})

    with SocketServer(tmp_path / "s", talk) as server:
        command = [sys.executable, "-u", "-m", "cli", "watch", "--socket", str(server.path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as watching:
            assert watching.stdout is not None
            shown = b"".join(watching.stdout.readline() for _ in range(6)).decode()
            watching.terminate()
    assert "shown elsewhere" not in shown
    assert "memud proactive used p-1" in shown
    assert "给牙医打电话" in shown
    assert "why: you asked to be reminded" in shown
    assert "evidence: t-1" in shown


def test_watch_says_what_it_waits_for_and_tells_notices_in_words(tmp_path: Path) -> None:
    """The first line on standard error; a session to compact and a change of health, without JSON."""
    full = {"session_id": "s1", "ratio": 0.83}
    ill = {
        "status": "degraded",
        "reasons": ["the vector index is being loaded"],
        "embedder": {"name": "late-model", "mode": "changing", "done": 30, "total": 120},
        "index": {"backend": "exact", "building": {"backend": "vss", "done": 60, "total": 120}},
    }

    def talk(connection: Connection) -> None:
        assert connection.read() is not None
        connection.notify("event", {"topic": "compaction", "cursor": 1, "user_id": "ann", "payload": full})
        connection.notify("event", {"topic": "health", "cursor": 2, "user_id": None, "payload": ill})
        connection.read()

    with SocketServer(tmp_path / "s", talk) as server:
        command = [sys.executable, "-u", "-m", "cli", "watch", "--socket", str(server.path)]
        env = {**os.environ, "LC_ALL": "zh_CN.UTF-8"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as watching:
            assert watching.stdout is not None
            assert watching.stderr is not None
            begun = watching.stderr.readline().decode()
            shown = "".join(watching.stdout.readline().decode() for _ in range(7))
            watching.terminate()
    assert "等待中，随时显示：到期的预测、该压缩的会话、运行状况的变化" in begun
    assert "会话 s1：上下文已用 83%" in shown
    assert "原因：正在加载向量索引" in shown
    assert "正在换用向量模型 late-model：30 / 120（25%）" in shown
    assert "正在建立索引 vss：60 / 120（50%）" in shown


class TestOutput:
    """An answer that can't be written as it is."""

    def test_a_full_disk_under_the_answer_is_told_in_a_sentence(self) -> None:
        """No trace of Python's, and an exit code that a script sees."""
        with Path("/dev/full").open("w") as full:
            done = self._memud("--help", stdout=full, env={"LC_ALL": "C.UTF-8"})
        assert done.returncode == exits.FAILED
        assert done.stderr.decode().splitlines() == [
            "Error: the answer could not be written: No space left on device"
        ]

    def test_a_terminal_of_one_alphabet_shows_the_rest_as_escapes(self) -> None:
        """A locale from the last century loses the look, not the answer."""
        narrow = {"LANG": "zh_CN.UTF-8", "LC_ALL": "zh_CN.UTF-8", "PYTHONIOENCODING": "latin-1"}
        done = self._memud("--help", stdout=subprocess.PIPE, env=narrow)
        assert done.returncode == exits.OK
        assert b"\\u7528" in done.stdout

    @staticmethod
    def _memud(argument: str, *, stdout: Any, env: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "cli", argument]
        return subprocess.run(
            command, stdout=stdout, stderr=subprocess.PIPE, env={**os.environ, **env}, check=False
        )


def test_a_dry_run_shows_sources_and_reasons_in_the_reader_s_language(
    memud: Memud, daemon: StubDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table of sources, what is passed over, what is new; files like data are named, pictures counted."""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    with_every_trap().write(tmp_path / "home" / "x.jsonl")
    (tmp_path / "home" / "photo.jpg").write_bytes(b"\xff\xd8")
    (tmp_path / "home" / "settings.json").write_text("{}")
    code, out, _ = memud("import", str(tmp_path / "home"), "--dry-run")
    assert code == 0
    assert re.search(r"OpenClaw\s+1\s+7\s+0\s+2026-03-08", out)
    assert "略过 1 条：出错后重复送达" in out
    assert re.findall("未动：(.*)", out) == [str(tmp_path / "home" / "settings.json")]
    assert "略过 2 条：其他种类的文件" in out
    assert out.splitlines()[-1] == "试运行：没有做任何改动。"
    assert [(method, params["dry_run"]) for method, params in daemon.calls] == [("capture", True)]


def test_a_dry_run_needs_no_daemon(memud: Memud, tmp_path: Path) -> None:
    """It says what is there; what of it is known can't be told."""
    path = with_every_trap().write(tmp_path / "x.jsonl")
    code, out, _ = memud("import", str(path), "--dry-run", "--socket", str(tmp_path / "nowhere"))
    assert code == 0
    assert "turns 7" in out
    assert "No daemon answers" in out
