from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from autocomp.errors import ProblemError, SetupError, UsageError
from autocomp.problems import load, scaffold
from autocomp.problems._sample import sample


@pytest.mark.parametrize(
    "template",
    [
        "gemm:96x160x48:bias",
        "gemm:512x512x512",
        "gemm:33x47x129:relu:scale=0.02",
        "gemm:1x1x1",
        "gemm:12x8x5000:bias",
        "conv:1x5x7x6x9:pad=1:pool=2/2/1",
    ],
)
def test_is_the_template_under_its_own_name(tmp_path: Path, template: str) -> None:
    written = scaffold(tmp_path / "a" / "mine", template=template)
    mine, packaged = load(tmp_path / "a" / "mine"), load(template)
    assert {path.relative_to(tmp_path / "a" / "mine").as_posix() for path in written} == {
        "problem.toml",
        "reference.py",
        "start.c",
        *(f"rivals/{name}.c" for name in packaged.rivals),
    }
    assert mine.name == "mine"
    assert mine.fingerprint == packaged.fingerprint
    plain = {name: replace(kernel, path=None) for name, kernel in mine.rivals.items()}
    assert packaged == replace(
        mine, name=packaged.name, locator=packaged.locator, start=replace(mine.start, path=None), rivals=plain
    )
    inputs = sample(mine, mine.distributions[0], np.random.default_rng(1))
    (output,) = mine.reference(inputs)
    np.testing.assert_array_equal(mine.reference(inputs)[output], packaged.reference(inputs)[output])


def test_from_another_folder(own: Path) -> None:
    scaffold(own.parent / "copy", "better-name", template=own)
    assert load(own.parent / "copy").name == "better-name"
    assert load(own.parent / "copy").fingerprint == load(own).fingerprint


def test_overwrites_nothing_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "start.c").write_text("precious")
    with pytest.raises(UsageError, match="exists already and is not overwritten"):
        scaffold(tmp_path, "mine")
    assert (tmp_path / "start.c").read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["start.c"]


def test_a_dangling_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "start.c").symlink_to(tmp_path / "elsewhere.c")
    with pytest.raises(UsageError):
        scaffold(tmp_path, "mine")
    assert not (tmp_path / "elsewhere.c").exists()


def test_other_files_of_the_folder_stay(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes")
    scaffold(tmp_path, "mine")
    assert load(tmp_path).name == "mine"
    assert (tmp_path / "notes.txt").read_text() == "notes"


@pytest.mark.parametrize("name", ["-x", "a b", 'a"b', "../up", "a\\b", "ä"])
def test_bad_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(ProblemError):
        scaffold(tmp_path / "p", name)
    assert not (tmp_path / "p").exists()


def test_where_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SetupError, match="cannot be written"):
        scaffold(tmp_path / "file" / "p")
