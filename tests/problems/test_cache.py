"""Where files are kept between processes, and that nobody else can put any there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autocomp.errors import SetupError
from autocomp.problems import cache
from autocomp.problems.cache import cache_folder, keep

KIND = "kind"


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Own home and temporary files."""
    for name in ("home", "temporary"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(cache, "_folder_of_process", cache._folder_of_process.__wrapped__)
    return tmp_path


def usual(places: Path) -> Path:
    return places / "home" / ".cache" / "autocomp" / KIND


def test_it_is_for_this_user_alone_whatever_the_mask(places: Path) -> None:
    before = os.umask(0)
    try:
        assert cache_folder(KIND) == usual(places)
    finally:
        os.umask(before)
    assert usual(places).stat().st_mode & 0o777 == 0o700


def test_a_relative_place_is_ignored(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(places)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder(KIND) == usual(places)
    assert not (places / "relative").exists()


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o770, 0o702])
def test_one_that_others_may_write_is_not_used(places: Path, mode: int) -> None:
    usual(places).mkdir(parents=True)
    usual(places).chmod(mode)
    other = cache_folder(KIND)
    assert other == places / "temporary" / f"autocomp-{KIND}-{os.getuid()}"
    assert other.stat().st_mode & 0o777 == 0o700
    other.chmod(mode)
    third = cache_folder(KIND)
    assert third.parent == places / "temporary" and third != other
    usual(places).chmod(0o755)  # as earlier versions made it
    assert cache_folder(KIND) == usual(places)


def test_one_of_another_user_is_not_used(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual(places).mkdir(parents=True)
    monkeypatch.setattr("os.getuid", lambda: usual(places).stat().st_uid + 1)
    folder = cache_folder(KIND)  # nor the one among the temporary files, which is of the same user
    assert folder.name.startswith(f"autocomp-{KIND}-") and folder.name != f"autocomp-{KIND}-{os.getuid()}"


def test_a_link_among_the_temporary_files_is_not_followed(places: Path) -> None:
    (places / "home" / ".cache").write_text("no folder")
    (places / "elsewhere").mkdir(mode=0o700)
    link = places / "temporary" / f"autocomp-{KIND}-{os.getuid()}"
    link.symlink_to(places / "elsewhere")
    assert cache_folder(KIND) != link
    link.unlink()
    assert cache_folder(KIND) == link  # now a folder


def test_no_place_at_all(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (places / "home" / ".cache").write_text("no folder")
    monkeypatch.setattr("tempfile.tempdir", str(places / "nowhere"))
    with pytest.raises(SetupError, match="set XDG_CACHE_HOME to one that can"):
        cache_folder(KIND)


def test_what_is_kept_is_whole_or_not_there(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = cache_folder(KIND) / "file"
    keep(path, b"one")
    keep(path, b"two")
    assert path.read_bytes() == b"two"

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(SetupError, match=r"file cannot be written: no space left on device; free some space"):
        keep(path, b"three")
    assert [kept.name for kept in path.parent.iterdir()] == ["file"]
    assert path.read_bytes() == b"two"
