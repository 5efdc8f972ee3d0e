"""Spares typer's conversion what needs none: it loads pydantic, which takes as long as all the rest."""

from pathlib import Path
from typing import Any, TypeVar

from typer.core import TyperCommand, TyperGroup

Kind = TypeVar("Kind", TyperCommand, TyperGroup)


def sparing(kind: type[Kind]) -> type[Kind]:
    """The same class of commands, whose absent values, words and paths are taken as they are."""

    def get_params(self: Any, context: Any) -> list[Any]:
        parameters = kind.get_params(self, context)
        for parameter in parameters:
            if "process_value" not in vars(parameter):
                _take_as_given(parameter)
        return parameters

    return type(kind.__name__, (kind,), {"get_params": get_params})


def _take_as_given(parameter: Any) -> None:
    convert, callback = parameter.process_value, parameter.callback
    kind = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
    is_one = parameter.nargs == 1 and not parameter.multiple

    def process(context: Any, value: Any) -> Any:
        if is_one and value is None and not parameter.required:
            return callback(context, parameter, None) if callback else None
        if is_one and callback is None and kind in (str, Path) and isinstance(value, str):
            return kind(value)
        return convert(context, value)

    parameter.process_value = process
