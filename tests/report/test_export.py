from collections.abc import Callable

from autocomp.problems import load
from autocomp.report import export_source
from autocomp.store import RunView


def test_header_says_how_it_was_measured_and_the_code_is_untouched(make_view: Callable[..., RunView]) -> None:
    view = make_view()
    text = export_source(view)
    header, code = text.split("\n\n", 1)
    assert code == view.best.candidate.code
    assert all(line.startswith("//") for line in header.splitlines())
    for words in (
        "gemm:64x64x64",
        "gemmini",
        "simulated cycles (ideal memory)",
        "400 cycles",
        "1,000 cycles",
        "2.50×",
        "80.0 %",
        "confirmed with fresh secret inputs",
        view.id,
        "candidate 2.0.0.0",
        "2025-06-15",
        "autocomp ",
    ):
        assert words in header


def test_header_says_on_which_inputs(make_view: Callable[..., RunView]) -> None:
    problem = load("gemm:64x64x64")
    header = " ".join(export_source(make_view(), problem=problem).split("\n\n", 1)[0].replace("//", "").split())
    assert "extremes, negative, sparse; public seed 1, 1 secret seed drawn for the run" in header
    assert "1 fresh secret seed per distribution to confirm" in header
    assert "the problem's own distributions" in export_source(make_view())
    settings = {"evaluate": {"distributions": [{"kind": "uniform", "low": -2, "high": 2}], "public_seeds": [3, 4]}}
    header = export_source(make_view(configuration=settings, confirmed=False))
    assert "uniform -2..2; public seeds 3, 4, 1 secret seed drawn for the run" in header
    assert "to confirm" not in header
    assert "as configured" in export_source(make_view(configuration={"nonsense": 1}))


def test_hostile_names_cannot_leave_the_comment(make_view: Callable[..., RunView]) -> None:
    text = export_source(make_view(problem="x\nint evil(void);\r\n*/ int more; \\", target="a\u2028b\\"))
    header = text.split("\n\n", 1)[0]
    assert all(line.startswith("//") for line in header.splitlines())
    assert not any(line.endswith("\\") for line in header.splitlines())


def test_python_gets_its_own_comments(make_view: Callable[..., RunView]) -> None:
    header = export_source(make_view(), "py").split("\n\n", 1)[0]
    assert all(line.startswith("#") for line in header.splitlines())


def test_what_was_not_confirmed_or_not_found_is_said(make_view: Callable[..., RunView]) -> None:
    assert "not confirmed" in export_source(make_view(confirmed=False))
    assert "Start kernel, exported" in export_source(make_view(best="0"))
