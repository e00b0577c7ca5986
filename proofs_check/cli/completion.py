"""``headproof completion``: what makes a shell complete commands, options and claims.

The script is click's for each shell. Whenever a key is pressed it runs the program with one
variable in the environment, and `answered` replies. Where click knows of nothing to offer, the
word is left to the shell as a file name: nearly every argument here is one.
"""

from __future__ import annotations

from collections.abc import Mapping

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)

from .document import emit
from .options import json_option

VARIABLE = "_HEADPROOF_COMPLETE"
"""In the environment: ``<shell>_complete``, set by the script."""

_EXAMPLES = """\b
Examples:
  headproof completion bash > ~/.headproof-completion
  echo '. ~/.headproof-completion' >> ~/.bashrc
  headproof completion fish > ~/.config/fish/completions/headproof.fish
  headproof completion zsh --json
"""


class _FileNames(ShellComplete):
    """Offers file names where there is nothing else."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """What may stand in the place of the incomplete word."""
        found = super().get_completions(args, incomplete)
        if found or incomplete.startswith("-") or not args:
            return found
        return [CompletionItem(incomplete, type="file")]


class _Bash(_FileNames, BashComplete):
    pass


class _Zsh(_FileNames, ZshComplete):
    pass


class _Fish(_FileNames, FishComplete):
    # Only the first comma parts the kind from the word; the others belong to the description.
    source_template = FishComplete.source_template.replace('split ","', 'split --max 1 ","')


_SHELLS: Mapping[str, type[ShellComplete]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}


def answered(program: click.Command, instruction: str) -> bool:
    """Answer a shell that asks for completions; whether it was one that we know.

    Args:
        program: the group of commands.
        instruction: the value of `VARIABLE`.
    """
    shell, _, verb = instruction.partition("_")
    if verb != "complete" or shell not in _SHELLS:
        return False
    click.echo(_SHELLS[shell](program, {}, "headproof", VARIABLE).complete())
    return True


@click.command(
    "completion",
    short_help="Write the script that makes a shell complete commands.",
    epilog=_EXAMPLES,
)
@click.argument("shell", type=click.Choice(tuple(_SHELLS)))
@json_option
def command(shell: str, as_json: bool) -> None:
    """Write the script that makes a shell complete commands, options, claims and files.

    Bash (from 4.4 on) and zsh read it when they start, from ~/.bashrc or ~/.zshrc (there, after
    compinit); fish finds it in its folder of completions. It takes effect in a new shell.
    """
    from .program import program

    script = _SHELLS[shell](program, {}, "headproof", VARIABLE).source()
    if as_json:
        emit("completion", {"shell": shell, "script": script})
    else:
        click.echo(script)
