"""A secret in the id of a session or an agent reaches no disk, and the session is found again by it."""

from tests.conftest import StartDaemon
from tests.world import bytes_of

SECRET = "sk-" + "b7C8" * 10


def test_a_secret_in_the_id_of_a_session_is_masked_and_still_names_it(start_daemon: StartDaemon) -> None:
    """Captured, added, recalled and resumed under one name, which the answers show without the secret."""
    daemon = start_daemon()
    session, agent = f"chat?token={SECRET}", f"agent-{SECRET}"
    with daemon.client() as client:
        client.capture([{"role": "user", "content": "I row on Sundays"}], session_id=session, agent_id=agent)
        client.call("add", memory="Rows on Sundays", session_id=session, agent_id=agent)
        turns = client.session_resume(session)["turns"]
        found = client.search("row on Sundays", session_id=session)["results"]
    assert [turn["text"] for turn in turns] == ["I row on Sundays", "Rows on Sundays"]
    assert found
    assert SECRET not in str(found)
    assert SECRET.encode() not in bytes_of(daemon.state_dir / "memud.db")
