"""Reads the knowledge pack: data files, no code."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from autocomp.targets._target import KnowledgePack, MenuItem


def load_pack(folder: Path) -> KnowledgePack:
    """Everything that lies in ``folder``; what is missing is empty."""
    isa = {path.stem: path.read_text() for path in sorted((folder / "isa").glob("*.md"))}
    return KnowledgePack(
        architecture=_text(folder / "architecture.md"),
        isa=isa,
        menu=tuple(_item(entry) for entry in _table(folder / "menu.toml").get("item", ())),
        rules=tuple(_rule(entry) for entry in _table(folder / "rules.toml").get("rule", ())),
    )


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _table(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text()) if path.exists() else {}


def _item(entry: dict[str, Any]) -> MenuItem:
    return MenuItem(
        id=entry["id"],
        title=entry["title"],
        guidance=entry.get("guidance", "").strip(),
        operators=tuple(entry.get("operators", ())),
        example=entry.get("example", "").strip(),
        rewrite=entry.get("rewrite"),
    )


def _rule(entry: dict[str, Any] | str) -> str:
    return (entry if isinstance(entry, str) else entry["text"]).strip()
