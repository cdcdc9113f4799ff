import pytest

from autocomp.report import change_text, duration_text, latency_text, number_text, share_text, speedup_text


@pytest.mark.parametrize(
    ("latency", "unit", "words"),
    [
        (1214467, "cycles", "1,214,467 cycles"),
        (None, "cycles", "–"),
        (0.0012, "s", "1.200 ms"),
        (2.5, "s", "2.500 s"),
        (3.2e-5, "s", "32.000 µs"),
        (4e-8, "s", "40.0 ns"),
        (0.0, "s", "0.0 ns"),
    ],
)
def test_latency_has_its_unit(latency: float | None, unit: str, words: str) -> None:
    assert latency_text(latency, unit) == words


def test_other_numbers() -> None:
    assert number_text(1234567.0) == "1,234,567"
    assert number_text(0.25) == "0.25"
    assert speedup_text(2.314) == "2.31×"
    assert share_text(0.9714) == "97.1 %"
    assert change_text(100, 75) == "−25.0 %"
    assert change_text(10_000_000, 10_000_001) == "±0.0 %"
    assert change_text(4, 104) == "+2,500.0 %"
    assert number_text(float("nan")) == "–"
    assert change_text(None, 75) == ""
    assert change_text(0, 75) == ""
    assert [duration_text(seconds) for seconds in (1.23, 59.7, 134, 7260)] == [
        "1.2 s",
        "1 min 00 s",
        "2 min 14 s",
        "2 h 01 min",
    ]
