"""The packages that memud installs are its own: nobody else's distribution brings the same names."""

import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
OWN = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]


@pytest.mark.parametrize("package", [*OWN, "memud_client"])
def test_no_other_distribution_claims_our_package_names(package: str) -> None:
    """Two distributions with one top-level name overwrite each other's files."""
    claimed_by = set(packages_distributions().get(package, ()))
    assert claimed_by <= {"memud", "memud-client"}, f"{package} comes from {claimed_by}"


def test_the_command_leads_to_our_package() -> None:
    """`memud` is a function of a package that the wheel holds."""
    module = PROJECT["project"]["scripts"]["memud"].partition(":")[0]
    assert module.partition(".")[0] in OWN


def test_every_package_of_the_tree_is_in_the_wheel() -> None:
    """A room that the wheel forgets would be missed only by those who install it."""
    root = Path(__file__).parents[2]
    rooms = {init.parent.name for init in root.glob("*/__init__.py")} - {"bench", "tests"}
    assert rooms == set(OWN)
