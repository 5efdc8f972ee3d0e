"""The providers' keys: from the environment, or from a file that systemd hands over; never a setting."""

from collections.abc import Mapping
from pathlib import Path

from memory.errors import UnavailableError


def read_key(name: str, env: Mapping[str, str]) -> str:
    """The key named as in the environment, such as OPENAI_API_KEY; "" where there is none.

    Raises UnavailableError for a file that can't be read, and for what no key looks like.
    """
    key = (env.get(name) or _from_file(name, env)).strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UnavailableError(f"{name} holds what no key looks like", hint=f"set {name} to the bare key")
    return key


def _from_file(name: str, env: Mapping[str, str]) -> str:
    folder = env.get("CREDENTIALS_DIRECTORY")
    if not folder:
        return ""
    try:
        return (Path(folder) / name.lower()).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise UnavailableError(
            f"the credential {name.lower()} can't be read", hint="look at LoadCredential= in the unit"
        ) from error
