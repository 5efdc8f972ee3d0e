"""The plugin goes, and the configuration is the person's again."""

from tests.openclaw.stand import Stand


async def prove(stand: Stand) -> str:
    """`uninstall` gives back what was there before memud, setting by setting."""
    stand.gateway.stop()
    await stand.memud("openclaw", "uninstall", "--yes")
    config = stand.config
    changed = {name for name in {*config, *stand.person} if config.get(name) != stand.person.get(name)}
    assert changed <= {"meta"}, changed  # OpenClaw's own note of its version
    return (
        f"{len(stand.person)} settings as before, {', '.join(sorted(changed)) or 'nothing'} of OpenClaw's own"
    )
