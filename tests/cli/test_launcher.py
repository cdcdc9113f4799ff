"""The command begins without a traceback, whatever happens while it is imported."""

from __future__ import annotations

import sys

import pytest

import autocomp.cli
import autocomp_launcher


def test_ctrl_c_while_importing_ends_like_any_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(autocomp.cli, "main", interrupt)
    assert autocomp_launcher.main() == 130
    assert "stopped" in capsys.readouterr().err


def test_exit_code_is_that_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["autocomp", "--version"])
    assert autocomp_launcher.main() == 0
