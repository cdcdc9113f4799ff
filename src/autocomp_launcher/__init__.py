"""Where the command ``autocomp`` begins.

A package of its own because importing anything from ``autocomp`` first imports all of it, which takes most of a
second: Ctrl-C in that second must end like Ctrl-C at any other time, without a traceback.
"""

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        from autocomp.cli import main as run_command_line

        return run_command_line()
    except KeyboardInterrupt:
        print("stopped: stopped by Ctrl-C", file=sys.stderr)
        return 130
