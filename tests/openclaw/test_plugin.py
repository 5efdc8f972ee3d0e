"""The OpenClaw plugin: its own tests run by Node, and what is built fits what is written."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.conftest import StartDaemon

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "plugins" / "openclaw"


def _node() -> str:
    """Node 20 or later; a machine without it can't run OpenClaw either."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node on this machine")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.lstrip("v").partition(".")[0]) < 20:
        pytest.skip(f"Node {version.strip()} is too old for the plugin's tests")
    return node


@pytest.mark.slow
def test_the_plugins_own_tests_pass() -> None:
    """Every promise of the plugin, beside a stub of OpenClaw."""
    tests = sorted(str(path) for path in (PLUGIN / "tests").glob("*.test.mjs"))
    run = subprocess.run([_node(), "--test", *tests], capture_output=True, text=True, cwd=PLUGIN)
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]


@pytest.mark.slow
def test_the_plugin_and_the_daemon_understand_each_other(start_daemon: StartDaemon) -> None:
    """Every call that the plugin makes is one that a real daemon takes, and means what the plugin thinks."""
    env = {**os.environ, "MEMUD_TEST_SOCKET": str(start_daemon().socket_path)}
    script = str(PLUGIN / "tests" / "with_daemon.mjs")
    run = subprocess.run([_node(), "--test", script], capture_output=True, text=True, cwd=PLUGIN, env=env)
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]


@pytest.mark.slow
def test_what_is_built_is_what_is_written(tmp_path: Path) -> None:
    """`dist/` is committed so that nobody needs a compiler; where there is one it must give the same."""
    compiler = PLUGIN / "node_modules" / "typescript"
    if not compiler.exists():
        pytest.skip("no TypeScript compiler: `npm install` in plugins/openclaw brings it")
    build = [_node(), str(compiler / "bin" / "tsc"), "-p", str(PLUGIN), "--outDir", str(tmp_path)]
    built = subprocess.run(build, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout
    assert _texts(tmp_path) == _texts(PLUGIN / "dist")


def test_nothing_is_built_that_is_not_written() -> None:
    """A file whose source is gone would go on being shipped."""
    assert {path.stem for path in (PLUGIN / "dist").glob("*.js")} == {
        path.stem for path in (PLUGIN / "src").glob("*.ts")
    }


def test_the_plugin_is_as_old_as_the_daemon() -> None:
    """One version for what is installed together."""
    daemon = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    package = json.loads((PLUGIN / "package.json").read_text(encoding="utf-8"))["version"]
    manifest = json.loads((PLUGIN / "openclaw.plugin.json").read_text(encoding="utf-8"))["version"]
    said = re.search(r'VERSION = "([^"]+)"', (PLUGIN / "src" / "version.ts").read_text(encoding="utf-8"))
    assert said
    assert {package, manifest, said[1]} == {daemon}


def test_every_setting_has_a_label_and_a_help_text_in_both_languages() -> None:
    """OpenClaw shows them as they stand in the manifest."""
    manifest = json.loads((PLUGIN / "openclaw.plugin.json").read_text(encoding="utf-8"))
    assert manifest["configSchema"]["additionalProperties"] is False
    assert set(manifest["uiHints"]) == set(manifest["configSchema"]["properties"])
    for hint in manifest["uiHints"].values():
        assert all(" · " in hint[part] for part in ("label", "help"))


def test_it_needs_nothing_at_run_time() -> None:
    """No dependency, and no import but Node's own and its own."""
    package = json.loads((PLUGIN / "package.json").read_text(encoding="utf-8"))
    assert "dependencies" not in package
    for path in (PLUGIN / "dist").glob("*.js"):
        imported = re.findall(r'from "([^"]+)"', path.read_text(encoding="utf-8"))
        assert all(name.startswith(("node:", "./")) for name in imported), path.name


def _texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.js")}
