"""The directive ``command-help``: what ``--help`` says, of the program and of every command."""

import click
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from headproof.proofs_check.cli.program import COMMANDS, program

_WIDTH = 86


def _help(words: tuple[str, ...]) -> str:
    settings = {"terminal_width": _WIDTH, "max_content_width": _WIDTH, **program.context_settings}
    with click.Context(program, info_name="headproof", **settings) as context:
        if not words:
            return program.get_help(context)
        command = program.get_command(context, words[0])
        assert command
        with click.Context(command, info_name=words[0], parent=context, **settings) as inner:
            return command.get_help(inner)


class CommandHelp(Directive):
    """A section for the program and one for each command."""

    def run(self) -> list[nodes.Node]:
        """The sections."""
        found: list[nodes.Node] = [nodes.literal_block(_help(()), _help(()), language="text")]
        for name in COMMANDS:
            title = f"headproof {name}"
            section = nodes.section(ids=[f"headproof-{name}"], names=[title])
            section += nodes.title(text=title)
            section += nodes.literal_block(_help((name,)), _help((name,)), language="text")
            found.append(section)
        return found


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
