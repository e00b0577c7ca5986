"""The examples in the help: every line is read by the command that it names, and pipes run."""

import json
import re
import shlex
import subprocess
import sys

import click
import pytest

from headproof.proofs_check.cli.program import COMMANDS, program

LIGHT = ("hull", "minkowski", "overlay", "regions", "recover", "identify", "symmetry", "match")
"""Commands with an example that reads its document from echo."""


def examples(name: str) -> list[str]:
    """The example lines, continuation lines joined."""
    with click.Context(program) as context:
        command = program.get_command(context, name)
    assert command
    assert command.epilog
    heading, *lines = command.epilog.replace("\b", "").strip().splitlines()
    assert heading == "Examples:"
    joined: list[str] = []
    for line in lines:
        if line.startswith("   "):
            joined[-1] = joined[-1].rstrip("\\").rstrip() + " " + line.strip()
        else:
            joined.append(line.strip())
    return joined


def without_remark(line: str) -> str:
    """A remark stands after two or more spaces."""
    return line if line.startswith("echo") else re.split(r"\s{2,}", line)[0]


def calls(line: str) -> list[list[str]]:
    """The words of every call of the program in a line of shell."""
    found: list[list[str]] = []
    words: list[str] = []
    lexer = shlex.shlex(without_remark(line), posix=True, punctuation_chars="|&>;")
    lexer.whitespace_split = True
    for word in [*lexer, ";"]:
        if word and set(word) <= set("|&>;"):
            found.append(words)
            words = []
        else:
            words.append(word)
    return [call[1:] for call in found if call and call[0] == "headproof"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_is_read_by_its_command(name: str) -> None:
    lines = examples(name)
    assert len(lines) >= 2
    for line in lines:
        made = calls(line)
        assert any(words[:1] == [name] for words in made) or line.startswith("echo"), line
        for words in made:
            with click.Context(program) as context:
                command = program.get_command(context, words[0])
                assert command, line
                command.make_context(words[0], words[1:], parent=context).close()


@pytest.mark.parametrize("words", [["hull"], ["budget", "--n"], ["train", "--seed", "x"]])
def test_a_wrong_example_would_be_seen(words: list[str]) -> None:
    with click.Context(program) as context:
        command = program.get_command(context, words[0])
        assert command
        with pytest.raises(click.UsageError):
            command.make_context(words[0], words[1:], parent=context)


@pytest.mark.parametrize("name", LIGHT)
def test_documents_in_examples_are_accepted(name: str) -> None:
    (line,) = [line for line in examples(name) if line.startswith("echo")]
    document = shlex.split(line)[1]
    json.loads(document)
    (words,) = calls(line)
    assert words[0] == name
    done = subprocess.run(
        [sys.executable, "-m", "headproof", *words], input=document, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
