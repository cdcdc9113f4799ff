"""What a reference may do to the command that calls it: nothing."""

from __future__ import annotations

import numpy as np
import pytest

from autocomp.errors import ProblemError
from autocomp.problems import _reference
from autocomp.problems._reference import SourceReference
from autocomp.records import Role, TensorSpec

OUTPUTS = (TensorSpec("C", "int8", (2,), Role.OUTPUT),)
RIGHT = "return {'C': np.zeros(2, np.int8)}"


def call(body: str) -> None:
    source = f"import numpy as np\ndef reference(inputs):\n    {body}\n"
    SourceReference(source, OUTPUTS, "reference.py")({"A": np.zeros(2, np.int8)})


@pytest.mark.parametrize("body", ["while True: pass", "import time; time.sleep(1e6)"])
def test_one_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    monkeypatch.setattr(_reference, "TIME_LIMIT_S", 0.2)
    with pytest.raises(ProblemError, match=r"reference\.py: still running after 0\.2 s"):
        call(body)
    call(RIGHT)


def test_what_it_prints_is_not_mixed_into_results(capsys: pytest.CaptureFixture[str]) -> None:
    call(f"print('noise'); {RIGHT}")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "noise\n"


def test_exceptions_that_slip_through_others_do_not_slip_through_here() -> None:
    with pytest.raises(ProblemError, match="reference raised Odd: x"):
        call("raise type('Odd', (BaseException,), {})('x')")
    with pytest.raises(KeyboardInterrupt):
        call("raise KeyboardInterrupt")
