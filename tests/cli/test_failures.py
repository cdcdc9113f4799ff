"""Whatever happens, a user gets one message and a documented exit code."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autocomp import errors
from autocomp.cli._codes import MEANINGS

COMMAND = [sys.executable, "-c", "import sys; from autocomp.cli import main; sys.exit(main())"]


def started(words: list[str], folder: Path, output: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*COMMAND, *words], stdout=output, stderr=subprocess.PIPE, text=True, cwd=folder, check=False)


def every_error() -> list[type[errors.AutocompError]]:
    return [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.AutocompError)]


@pytest.mark.parametrize("kind", every_error())
def test_errors_of_the_tree_become_a_message_and_their_code(
    cli: Any, monkeypatch: pytest.MonkeyPatch, kind: type[errors.AutocompError]
) -> None:
    def fail(*_: object) -> None:
        raise kind("the thing [red]is[/red] wrong; do this")

    monkeypatch.setattr("autocomp.cli._catalogue.load", fail)
    result = cli("problems", "x", "--json")
    assert result.code == kind.exit_code
    assert result.out == ""
    assert result.err == "error: the thing [red]is[/red] wrong; do this\n"


def test_every_code_has_a_meaning() -> None:
    assert {kind.exit_code for kind in every_error()} <= set(MEANINGS)
    assert {0, 10, 70, 130, 141} <= set(MEANINGS)


def test_a_defect_leaves_its_traceback_in_a_file(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("autocomp.cli._catalogue.load", fail)
    result = cli("problems", "x")
    assert result.code == 70
    assert "internal error: ZeroDivisionError: oh" in result.err
    path = Path(re.search(r"(\S+autocomp-crash-\S+\.txt)", result.err)[1])  # type: ignore[index]
    assert "ZeroDivisionError" in path.read_text()
    path.unlink()


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, 7), (errno.EROFS, 7), (errno.EISDIR, 70)])
def test_a_full_disk_is_no_defect(cli: Any, monkeypatch: pytest.MonkeyPatch, number: int, code: int) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number), "/data/file")

    monkeypatch.setattr("autocomp.cli._catalogue.load", fail)
    result = cli("problems", "x")
    assert result.code == code
    assert os.strerror(number) in result.err
    for path in re.findall(r"\S+autocomp-crash-\S+\.txt", result.err):
        Path(path).unlink()


def test_interrupt_anywhere(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("autocomp.cli._catalogue.load", fail)
    assert cli("problems", "x").code == 130


@pytest.mark.parametrize(
    "words", [("nonsense",), ("runs", "--nonsense"), ("evaluate",), ("optimize", "--beam", "many", "gemm:64x64x64")]
)
def test_wrong_usage(cli: Any, words: tuple[str, ...]) -> None:
    result = cli(*words)
    assert result.code == 2
    assert result.out == ""
    assert "Usage" in result.err


def test_wrong_settings_name_file_and_key(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "autocomp.toml").write_text("[search]\nbeem = 3\n")
    result = cli("optimize", "gemm:64x64x64")
    assert result.code == 2
    assert "autocomp.toml" in result.err
    assert "beem" in result.err
    assert "beam" in result.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["problems"], ["problems", "--json"]])
def test_standard_output_on_a_full_disk(words: list[str], tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False
        )
    assert done.returncode == 7
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["problems"], ["problems", "--json"], ["--help"], ["runs", "--help"], ["--version"]])
def test_reader_that_goes_away(words: list[str], tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*COMMAND, *words], stdout=writer, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False
        )
    finally:
        os.close(writer)
    assert done.stderr == ""
    assert done.returncode == 141


def test_no_colours_without_a_terminal(tmp_path: Path) -> None:
    done = subprocess.run([*COMMAND, "problems"], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "\x1b" not in done.stdout


def test_no_color_is_honoured(tmp_path: Path) -> None:
    environment = {**os.environ, "NO_COLOR": "1", "FORCE_COLOR": "1"}
    done = subprocess.run(
        [*COMMAND, "problems"], capture_output=True, text=True, cwd=tmp_path, check=True, env=environment
    )
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", done.stdout)
