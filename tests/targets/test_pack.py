from pathlib import Path

import pytest

from autocomp.errors import SetupError
from autocomp.targets._pack import load_pack


def write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_everything_is_read(tmp_path: Path) -> None:
    write(tmp_path, "architecture.md", "# A chip\n")
    write(tmp_path, "isa/move.md", "# Moves\n")
    write(tmp_path, "isa/compute.md", "# Products\n")
    write(tmp_path, "rules.toml", '[[rule]]\nid = "one"\ntext = "Fence at the end."\n')
    write(tmp_path, "menu.toml", '[[item]]\nid = "tile"\ntitle = "Change the tiling"\noperators = ["matmul"]\n')
    write(tmp_path, "examples/copy.c", "void solution(void) {}\n")
    pack = load_pack(tmp_path)
    assert pack.architecture == "# A chip\n"
    assert list(pack.isa) == ["compute", "move"]
    assert pack.rules == ("Fence at the end.",)
    assert pack.menu[0].id == "tile"
    assert pack.menu[0].operators == ("matmul",)
    assert pack.menu[0].rewrite is None
    assert pack.examples == {"copy.c": "void solution(void) {}\n"}


def test_an_empty_folder_is_an_empty_pack(tmp_path: Path) -> None:
    assert load_pack(tmp_path).isa == {}


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("menu.toml", '[[item]]\nid = "a"\n', ["item[0]", "'title'"]),
        ("menu.toml", '[[item]]\nid = "a"\ntitle = 3\n', ["item[0].title = 3", "string"]),
        ("menu.toml", '[[item]]\nid = "a"\ntitle = "A"\noperators = "matmul"\n', ["operators = 'matmul'", "list"]),
        ("menu.toml", '[[item]]\nid = "a"\ntitle = "A"\nguidence = "x"\n', ["'guidence'", "did you mean 'guidance'"]),
        ("menu.toml", '[[item]]\nid = "a"\ntitle = "A"\n[[item]]\nid = "a"\ntitle = "B"\n', ["item[1].id = 'a'"]),
        ("menu.toml", "[[items]]\n", ["'items'", "[[item]]"]),
        ("menu.toml", "item = 3\n", ["'item' = 3", "[[item]]"]),
        ("menu.toml", "[[item\n", ["not valid TOML", "line 1"]),
        ("rules.toml", '[[rule]]\nid = "a"\ntext = " "\n', ["rule[0]", "'text'"]),
        ("isa/moves.md", "\n", ["moves.md", "empty"]),
        ("architecture.md", "", ["architecture.md", "empty"]),
    ],
)
def test_errors_name_file_key_and_value(tmp_path: Path, file: str, text: str, said: list[str]) -> None:
    write(tmp_path, file, text)
    with pytest.raises(SetupError) as caught:
        load_pack(tmp_path)
    for words in (file.rsplit("/", maxsplit=1)[-1], *said):
        assert words in str(caught.value)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no such folder"):
        load_pack(tmp_path / "nowhere")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "architecture.md").write_bytes(b"abc\xff")
    with pytest.raises(SetupError, match="byte 3"):
        load_pack(tmp_path)
