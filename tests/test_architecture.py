"""The shape of the package: imports go down, each library has one importer, and no game lives in Python."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "interpreter" / "hongwu_rules"
RULESETS = Path(__file__).parents[1] / "rulesets"

# From the ground up. A module imports only from floors below its own, or from its own floor.
FLOORS: list[set[str]] = [
    {"diagnostics", "records"},
    {"errors", "cards", "model", "source"},
    {"overlay", "language", "checks", "unparse"},
    {"schema"},
    {"loading", "compile"},
    {"play"},
    {"game"},
    {"comparison", "coverage", "footsteps", "scenarios", "show", "simulate", "transcript", "trials"},
    {"cli"},
    {"__init__", "__main__"},
]
ONE_IMPORTER = {"yaml", "cerberus", "networkx"}


def modules() -> dict[str, list[Path]]:
    """Each module or folder of the package with its files."""
    found: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        found.setdefault(path.relative_to(PACKAGE).parts[0].removesuffix(".py"), []).append(path)
    return found


def imports(path: Path) -> list[str]:
    """Top names that a file imports: of the package itself (with a leading dot) and of others."""
    names: list[str] = []
    depth = len(path.relative_to(PACKAGE).parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name.split(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level == depth:
                names += (
                    [f".{node.module.split('.')[0]}"] if node.module else [f".{alias.name}" for alias in node.names]
                )
            elif node.level == 0 and node.module:
                names.append(node.module.split(".")[0])
    return names


def floor(name: str) -> int:
    """The floor of a module; a new module must be given one."""
    for number, names in enumerate(FLOORS):
        if name in names:
            return number
    raise AssertionError(f"give the module {name} a floor in FLOORS")


@pytest.mark.parametrize("name", sorted(modules()))
def test_imports_go_down(name: str) -> None:
    for path in modules()[name]:
        for imported in imports(path):
            if imported.startswith(".") and imported != f".{name}":
                assert floor(imported[1:]) <= floor(name), f"{path.name} imports {imported} from above"


@pytest.mark.parametrize("library", sorted(ONE_IMPORTER))
def test_a_library_has_one_importer(library: str) -> None:
    users = [path for paths in modules().values() for path in paths if library in imports(path)]
    assert len(users) == 1, [str(path.relative_to(PACKAGE)) for path in users]


def test_no_game_in_the_package() -> None:
    names = [path.stem for path in RULESETS.glob("*.yaml")]
    pattern = re.compile(
        "|".join(
            [*(re.escape(name) for name in names), "red.?five", "红五", "紅五", r"\bdealer\b", "庄家", r"\bkitty\b"]
        ),
        re.IGNORECASE,
    )
    for paths in modules().values():
        for path in paths:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            docs = {
                id(node.body[0].value)
                for node in ast.walk(tree)
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
                and node.body
                and isinstance(node.body[0], ast.Expr)
            }
            for node in ast.walk(tree):
                text = (
                    node.id
                    if isinstance(node, ast.Name)
                    else node.attr
                    if isinstance(node, ast.Attribute)
                    else node.value
                    if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
                    else ""
                )
                assert not pattern.search(str(text)), f"{path.name}:{getattr(node, 'lineno', 0)}: {text}"


def test_no_module_is_too_long() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for paths in modules().values()
        for path in paths
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 500
    }
    assert not long


def test_no_game_in_comments_and_examples_either() -> None:
    """What a docstring shows holds for any game."""
    games = [re.escape(path.stem) for path in RULESETS.glob("*.yaml")]
    pattern = re.compile("|".join([*games, "red.?five", "红五", "紅五", r"\bH5\b", "♥5"]), re.IGNORECASE)
    for paths in modules().values():
        for path in paths:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                assert not pattern.search(line), f"{path.name}:{number}: {line.strip()}"
