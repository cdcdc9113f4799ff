"""Reads a target's knowledge pack: what a proposer may be told about the chip, as data.

::

    architecture.md            the chip in prose
    isa/FAMILY.md              one section per family of instructions
    menu.toml                  [[item]] id, title; optional guidance, operators, example, rewrite
    rules.toml                 [[rule]] id, text
    examples/*                 complete kernels that pass
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from autocomp.errors import SetupError
from autocomp.targets._target import KnowledgePack, MenuItem

_Entry = TypeVar("_Entry")


def load_pack(folder: Path) -> KnowledgePack:
    """Read and check the pack in ``folder``; files that are not there leave their part empty.

    Raises SetupError that names file, key and value, and says what would be right.
    """
    if not folder.is_dir():
        raise SetupError(f"knowledge pack {folder}: no such folder; reinstall the package of this target")
    return KnowledgePack(
        architecture=_text(folder / "architecture.md") if (folder / "architecture.md").exists() else "",
        isa={path.stem: _text(path) for path in sorted((folder / "isa").glob("*.md"))},
        menu=_entries(folder / "menu.toml", "item", _menu_item),
        rules=_entries(folder / "rules.toml", "rule", _rule),
        examples={path.name: _text(path) for path in sorted((folder / "examples").glob("*.*"))},
    )


def _text(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SetupError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    if not text.strip():
        raise SetupError(f"{path}: empty; write the section or remove the file")
    return text


def _entries(path: Path, name: str, make: Callable[[_Fields], _Entry]) -> tuple[_Entry, ...]:
    """The tables ``[[name]]`` of a file, in its order; their ids must differ."""
    if not path.exists():
        return ()
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"{path}: not valid TOML: {error}") from error
    for key in document:
        if key != name:
            raise SetupError(f"{path}: unknown key '{key}'; only [[{name}]] tables may stand here")
    tables = document.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise SetupError(f"{path}: '{name}' = {tables!r}: must be a list of tables, each begun by [[{name}]]")
    out: list[_Entry] = []
    seen: set[str] = set()
    for index, table in enumerate(tables):
        fields = _Fields(path, f"{name}[{index}]", table)
        entry_id = fields.text("id", required=True)
        if entry_id in seen:
            fields.refuse("id", entry_id, "must differ from the ids before it")
        seen.add(entry_id)
        out.append(make(fields))
        fields.finish()
    return tuple(out)


def _menu_item(fields: _Fields) -> MenuItem:
    return MenuItem(
        id=fields.text("id", required=True),
        title=fields.text("title", required=True),
        guidance=fields.text("guidance"),
        operators=fields.texts("operators"),
        example=fields.text("example"),
        rewrite=fields.text("rewrite") or None,
    )


def _rule(fields: _Fields) -> str:
    return fields.text("text", required=True)


class _Fields:
    """One table of a TOML file, read field by field with errors that say where."""

    def __init__(self, path: Path, where: str, table: Mapping[str, Any]) -> None:
        self._path = path
        self._where = where
        self._table = table
        self._known: set[str] = set()

    def text(self, key: str, *, required: bool = False) -> str:
        self._known.add(key)
        value = self._table.get(key, "")
        if not isinstance(value, str):
            self.refuse(key, value, "must be a string")
        if required and not value.strip():
            raise SetupError(f"{self._path}: {self._where} needs '{key}', a string that is not empty")
        return value.strip()

    def texts(self, key: str) -> tuple[str, ...]:
        self._known.add(key)
        value = self._table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.refuse(key, value, "must be a list of strings")
        return tuple(value)

    def finish(self) -> None:
        """Refuse what nobody asked for: most often a misspelt name."""
        for key in self._table:
            if key not in self._known:
                close = difflib.get_close_matches(key, self._known, 1)
                hint = f"did you mean '{close[0]}'?" if close else f"known are {', '.join(sorted(self._known))}"
                raise SetupError(f"{self._path}: {self._where} has an unknown key '{key}'; {hint}")

    def refuse(self, key: str, value: object, remedy: str) -> NoReturn:
        raise SetupError(f"{self._path}: {self._where}.{key} = {value!r}: {remedy}")
