import errno
import os
from pathlib import Path

import pytest

from autocomp.cli._files import write_file
from autocomp.errors import InfrastructureError, UsageError


def test_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InfrastructureError, match="No space left"):
        write_file(path, "new")
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["file.txt"]


def test_mode_follows_the_umask_and_an_old_file_keeps_its_own(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "new", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
    (tmp_path / "new").chmod(0o600)
    write_file(tmp_path / "new", "y")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600


def test_places_that_do_not_work(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        write_file(tmp_path, "x")
    with pytest.raises(UsageError, match="No such file"):
        write_file(tmp_path / "no" / "file", "x")
    write_file(tmp_path / "made" / "file", "x", make_folder=True)
    with pytest.raises(UsageError, match="--force"):
        write_file(tmp_path / "made" / "file", "x", force=False)


def test_devices_are_written_through() -> None:
    write_file(Path(os.devnull), "x")
    assert not Path(os.devnull).is_file()
