"""The program: the group of commands, loaded one at a time, and the one place that ends it.

``headproof --help`` has to answer at once, so a command's module is imported when the command is
looked up, and the libraries when it runs. Every way to fail passes through `main`, which turns it
into an exit code and one clear line, or into one JSON document when ``--json`` was asked for:

    0  found and certified; for verify, every verdict as expected
    1  the answer is no: a verdict differs, a certificate is invalid
    2  bad usage or input
    3  incomplete: interrupted, or a limit was reached
    4  internal error
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module

import click

from ...symbolic.errors import (
    CertificateInvalid,
    Degenerate,
    DerivationFailed,
    HeadproofError,
    InputError,
    LimitReached,
    NotInClass,
    PrecisionExhausted,
)
from .completion import VARIABLE, answered
from .document import emit_error

COMMANDS = (
    "verify",
    "list",
    "show",
    "check",
    "derive",
    "train",
    "demo",
    "hull",
    "minkowski",
    "overlay",
    "regions",
    "stability",
    "recover",
    "identify",
    "symmetry",
    "inspect",
    "diversity",
    "budget",
    "match",
    "report",
    "formal",
    "rocq",
    "completion",
)
"""In the order in which the help lists them; each is a module of this package."""

NO, USAGE, INCOMPLETE, INTERNAL = 1, 2, 3, 4

_CODES: tuple[tuple[type[HeadproofError], int], ...] = (
    (InputError, USAGE),
    (NotInClass, NO),
    (CertificateInvalid, NO),
    (DerivationFailed, NO),
    (Degenerate, INCOMPLETE),
    (LimitReached, INCOMPLETE),
    (PrecisionExhausted, INCOMPLETE),
)


class LazyGroup(click.Group):
    """A group whose commands are imported when they are looked up."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f".{cmd_name}", __package__)
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was typed.

        Raises:
            click.UsageError: there is none; with the nearest one.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], COMMANDS, n=1)
            if not near or args[0].startswith("-"):
                raise
            hint = f"{error.message.rstrip('.')}; did you mean {near[0]}?"
            raise click.UsageError(hint, ctx) from None


def _show_version(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        import headproof  # noqa: TID251

        click.echo(f"headproof {headproof.__version__}")
        ctx.exit()


_EXAMPLES = """\b
Examples:
  headproof verify                      settle every claim, quick profile
  headproof verify tropical --jobs 2    one topic, two processes
  headproof list                        the claims
  headproof check runs/quick-0          check a run's certificates again
  headproof COMMAND --help              one command, with examples

\b
Exit codes:
  0  found and certified; for verify, every verdict as expected
  1  the answer is no: a verdict differs, a certificate is invalid
  2  bad usage or input
  3  incomplete: interrupted, or a limit was reached
  4  internal error
"""


@click.group(
    cls=LazyGroup, epilog=_EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def program() -> None:
    """The mathematics of transformer attention, stated, settled and certified."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code.

    Args:
        arguments: those after the program's name; of the process by default.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in words
    _open_streams()
    try:
        asked = os.environ.get(VARIABLE)
        if asked and answered(program, asked):
            return _flushed(0)
        with program.make_context("headproof", words) as context:
            program.invoke(context)
        return _flushed(0)
    except click.exceptions.Exit as end:
        return _flushed(end.exit_code)
    except BrokenPipeError:
        _discard_stdout()  # whoever read our output went away
        return INCOMPLETE
    except click.exceptions.NoArgsIsHelpError as error:
        return _refuse(as_json, "UsageError", error.format_message(), USAGE, bare=True)
    except click.ClickException as error:
        name = "UsageError" if isinstance(error, click.UsageError) else type(error).__name__
        return _refuse(as_json, name, error.format_message(), USAGE)
    except (KeyboardInterrupt, click.Abort) as error:
        message = str(error) or "interrupted"
        return _refuse(as_json, "Interrupted", message, INCOMPLETE)
    except HeadproofError as error:
        code = next((code for kind, code in _CODES if isinstance(error, kind)), INTERNAL)
        return _refuse(as_json, type(error).__name__, str(error), code)
    except OSError as error:
        what = error.strerror or str(error)
        message = f"{error.filename}: {what}" if error.filename else what
        return _refuse(as_json, type(error).__name__, message, USAGE)
    except Exception as error:
        traceback.print_exc()
        message = f"internal error: {type(error).__name__}: {error}; please report it"
        return _refuse(as_json, type(error).__name__, message, INTERNAL)


def _refuse(as_json: bool, name: str, message: str, code: int, *, bare: bool = False) -> int:
    line = message if bare else f"headproof: {' '.join(message.split())}"
    try:
        if as_json:
            emit_error(name, " ".join(message.split()))
            return code
    except OSError:  # stdout is gone or its disk full: say it on stderr
        _discard_stdout()
    with suppress(OSError):
        click.echo(line, err=True)
    return code


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_stdout()
        return INCOMPLETE
    except OSError as error:
        _discard_stdout()
        return _refuse(False, type(error).__name__, f"stdout: {error.strerror}", USAGE)
    return code


def _discard_stdout() -> None:
    """Send to nowhere what is still buffered: Python would complain once more when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_streams() -> None:
    """Give a process that was started with closed streams such that lead nowhere.

    What stdout cannot encode becomes a question mark on a terminal; a file or a pipe gets UTF-8,
    unless the user chose an encoding.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
        chosen = sys.stdout.isatty() or os.environ.get("PYTHONIOENCODING")
        sys.stdout.reconfigure(encoding=None if chosen else "utf-8", errors="replace")
