"""The commands of ``autocomp``, in the order of the help."""

from __future__ import annotations

from typing import Annotated

import typer

from autocomp.cli import _catalogue, _kernels, _runs, _search
from autocomp.cli._codes import MEANINGS
from autocomp.cli._console import print_text
from autocomp.report import tool_version

EPILOG = "Exit codes: " + "; ".join(f"{code} {meaning}" for code, meaning in MEANINGS.items()) + "."

app = typer.Typer(
    name="autocomp",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EPILOG,
)


def _version(value: bool) -> None:
    if value:
        print_text(f"autocomp {tool_version()}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Find faster kernels for tensor accelerators, and prove that they compute the same."""


app.command()(_search.optimize)
app.command()(_search.resume)
app.command()(_kernels.evaluate)
app.command()(_kernels.profile)
app.command()(_catalogue.problems)
app.command()(_catalogue.targets)
app.command()(_runs.runs)
app.command()(_runs.show)
app.command()(_runs.export)
app.command()(_runs.report)
app.command()(_catalogue.init)
app.command()(_catalogue.doctor)
