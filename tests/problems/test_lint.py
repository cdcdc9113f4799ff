from pathlib import Path

from autocomp.problems import lint, load


def warnings(own: Path, reference: str | None = None, toml: tuple[str, str] | None = None) -> str:
    if reference is not None:
        head = 'import numpy as np\n\n\ndef reference(inputs):\n    A, B = inputs["A"], inputs["B"]\n'
        (own / "reference.py").write_text(head + f"    return {{'C': {reference}}}\n")
    if toml is not None:
        text = (own / "problem.toml").read_text()
        assert toml[0] in text
        (own / "problem.toml").write_text(text.replace(*toml))
    return "\n".join(lint(load(own)))


def test_sound(own: Path) -> None:
    assert warnings(own) == ""


def test_unused_input(own: Path) -> None:
    text = warnings(own, "np.clip(A.astype(int) @ B.astype(int), -128, 127).astype(np.int8)")
    assert text == "no output depends on input 'bias': a kernel that never reads it would pass"


def test_constant_output(own: Path) -> None:
    assert "output 'C' is the same number everywhere" in warnings(own, "np.full((20, 30), 7, np.int8)")


def test_random_reference(own: Path) -> None:
    text = warnings(own, "np.random.default_rng().integers(-9, 9, (20, 30), dtype=np.int8)")
    assert "different outputs for the same inputs" in text


def test_saturation(own: Path) -> None:
    text = warnings(own, "np.where(A.astype(int) @ B.astype(int) > 0, 127, -128).astype(np.int8)")
    assert "errors hide behind saturation" in text


def test_tolerance_wider_than_outputs(own: Path) -> None:
    text = warnings(own, toml=("int8 = { absolute = 0,", "int8 = { absolute = 128,"))
    assert "the tolerance of int8 (absolute 128, relative 0) is wider than output 'C' itself" in text
    assert "would pass" in text


def test_relative_tolerance_of_one_accepts_zero(own: Path) -> None:
    assert "a kernel that writes one number everywhere would pass" in warnings(
        own, toml=("absolute = 0, relative = 0", "absolute = 0, relative = 1")
    )


def test_entry_not_in_start_kernel(own: Path) -> None:
    assert "does not mention the entry point 'other'" in warnings(own, toml=('"solution"', '"other"'))


def test_not_finite(tmp_path: Path) -> None:
    (tmp_path / "problem.toml").write_text(
        'name = "log"\noperator = "elementwise"\n[tolerance]\nfloat32 = { absolute = 1e-5 }\n[work]\noperations = 4\n'
        '[[arguments]]\nname = "x"\ndtype = "float32"\nshape = [4]\nrole = "input"\n'
        '[[arguments]]\nname = "y"\ndtype = "float32"\nshape = [4]\nrole = "output"\n'
    )
    (tmp_path / "reference.py").write_text(
        "import numpy as np\n\n\ndef reference(inputs):\n    return {'y': np.log(inputs['x'])}\n"
    )
    (tmp_path / "start.c").write_text("void solution(float x[4], float y[4]) {}\n")
    assert "has NaN or infinity" in "\n".join(lint(load(tmp_path)))
