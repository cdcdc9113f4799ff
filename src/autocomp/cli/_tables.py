"""Runs, candidates and verdicts as people read them in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autocomp.records import Evaluation, Ideal
from autocomp.report import (
    CounterRow,
    DiffLine,
    Row,
    change_text,
    latency_text,
    number_text,
    share_text,
    speedup_text,
    status_text,
)

ROW_STYLES = {"found": "bold green", "ideal": "dim"}
DIFF_STYLES = {"add": "green", "remove": "red", "place": "cyan", "more": "dim"}
EXCERPT = 2
"""Lines of source shown before and after the one a message is about."""


def plain_table(*headings: str, right: Sequence[str] = ()) -> Table:
    """A table without boxes: a header, a rule, rows."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for heading in headings:
        table.add_column(heading, justify="right" if heading in right else "left", no_wrap=heading in right)
    return table


def comparison_table(rows: Sequence[Row]) -> Table:
    """Start, rivals, found kernel, ideal."""
    numbers = ("latency", "speed-up over start", "share of ideal")
    table = plain_table("kernel", *numbers, right=numbers)
    for row in rows:
        style = ROW_STYLES.get(row.kind, "")
        if row.latency is None:
            table.add_row(Text(row.name), Text(row.note, style="yellow"), "–", "–", style=style)
        else:
            table.add_row(
                Text(row.name),
                latency_text(row.latency, row.unit),
                speedup_text(row.speedup),
                share_text(row.share),
                style=style,
            )
    return table


def counter_table(rows: Sequence[CounterRow]) -> Table:
    """Counters of the start and of the found kernel."""
    numbers = ("start", "found", "change")
    table = plain_table("counter", *numbers, right=numbers)
    for row in rows:
        cells = ("–" if value is None else number_text(value) for value in (row.before, row.after))
        table.add_row(Text(row.name), *cells, change_text(row.before, row.after))
    return table


def print_evaluation(console: Console, code: str, evaluation: Evaluation, ideal: Ideal) -> None:
    """The verdict of one kernel with the source it is about, or its latency and the counters that are not zero."""
    verdict = evaluation.verdict
    words = status_text(evaluation)
    if not verdict.passed:
        where = next((item.line for item in verdict.diagnostics if item.line is not None), None)
        head = Text(words, style="bold red")
        if where is not None:
            head.append(f" at line {where}")
        if verdict.inputs:
            head.append(f" on inputs {verdict.inputs}", style="dim")
        console.print(head)
        if verdict.message:
            console.print(Text(verdict.message))
        for item in verdict.diagnostics[:10]:
            words = f"line {item.line}: {item.message}" if item.line else item.message
            if verdict.message not in (item.message, words):
                console.print(Text(words))
            if shown := excerpt(code, item.line):
                console.print(shown)
        if len(verdict.diagnostics) > 10:
            console.print(Text(f"and {len(verdict.diagnostics) - 10} more", style="dim"))
        return
    console.print(Text(words, style="bold green"))
    if evaluation.measurement is None:
        return
    measurement = evaluation.measurement
    latency = measurement.latency
    console.print(
        Text(latency_text(latency, measurement.unit), style="bold").append(
            f"  {share_text(ideal.latency / latency if latency else None)} of ideal "
            f"({latency_text(ideal.latency, ideal.unit)}, {ideal.bound} bound)  {measurement.method}",
            style="not bold",
        )
    )
    for sentence in evaluation.feedback:
        console.print(Text(f"· {sentence}"))
    if measurement.counters:
        table = plain_table("counter", "value", right=("value",))
        for name, value in measurement.totals.items():
            if value:
                table.add_row(Text(name), number_text(value))
        console.print()
        console.print(table)


def excerpt(code: str, line: int | None) -> Text:
    """The source around ``line``, which is marked; empty if there is no such line."""
    lines = code.splitlines()
    if line is None or not 1 <= line <= len(lines):
        return Text()
    first, last = max(1, line - EXCERPT), min(len(lines), line + EXCERPT)
    words = Text(no_wrap=True, overflow="ellipsis")
    for number in range(first, last + 1):
        mark = ">" if number == line else " "
        words.append(f"{mark} {number:>{len(str(last))}} │ {lines[number - 1]}", style="" if number == line else "dim")
        words.append("\n" if number < last else "")
    return words


def diff_text(lines: Sequence[DiffLine]) -> Text:
    """A coloured unified difference."""
    words = Text()
    for line in lines:
        words.append(f"{line.text}\n", style=DIFF_STYLES.get(line.kind, ""))
    return words
