"""Write a manual page for bough and each of its commands, from the words of --help.

    python scripts/man_pages.py FOLDER

The build of a wheel runs it, so that the pages are those of the commands that are packed.
"""

from __future__ import annotations

import sys
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bough import __version__
from bough.cli.main import COMMANDS, build_group
from bough.cli.options import list_option_records

if TYPE_CHECKING:
    from collections.abc import Sequence

_HELP = ["-h", "--help"]


def write_pages(folder: Path) -> list[Path]:
    """Write all pages into a folder; give their places."""
    folder.mkdir(parents=True, exist_ok=True)
    group = build_group(COMMANDS)
    root = click.Context(group, info_name="bough", help_option_names=_HELP)
    pages = {"bough": _write_page(root, "Read the conversations that Claude Code keeps on disk.")}
    for section in COMMANDS.values():
        for name, (_, about) in section.items():
            command = group.get_command(root, name)
            if command is not None:
                ctx = click.Context(command, info_name=name, parent=root, help_option_names=_HELP)
                pages[f"bough-{name}"] = _write_page(ctx, about)
    places = [folder / f"{name}.1" for name in pages]
    for place, text in zip(places, pages.values(), strict=True):
        place.write_text(text, encoding="utf-8")
    return places


def _write_page(ctx: click.Context, about: str) -> str:
    """Write a page: name, how it is called, what it does, what it takes."""
    name = ctx.command_path.replace(" ", "-")
    lines = [
        f'.TH "{name.upper()}" "1" "" "bough {__version__}" "bough"',
        ".nh",  # names of folders and options are to be copied as they are
        ".ad l",
        ".SH NAME",
        f"{_escape(name)} \\- {_escape(about.rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {_escape(ctx.command_path)}",
        _escape(" ".join(ctx.command.collect_usage_pieces(ctx))),
        ".SH DESCRIPTION",
        *_write_paragraphs(ctx.command.help or ""),
    ]
    if ctx.parent is None:
        lines += _write_table()
    elif below := _write_commands_below(ctx):
        lines += [".SH COMMANDS", *below]
    lines += [".SH OPTIONS", *_write_options(ctx, ctx.command.get_params(ctx))]
    if ctx.command.epilog:
        lines += [".SH NOTES", *_write_paragraphs(ctx.command.epilog)]
    more = "bough(1)" if ctx.parent else "a page for each command, such as bough\\-sessions(1)"
    lines += [".SH SEE ALSO", f"{more}; bough docs, the guide."]
    return "\n".join(lines) + "\n"


def _write_table() -> list[str]:
    """List the commands of bough, which have pages of their own."""
    lines = [".SH COMMANDS"]
    for title, section in COMMANDS.items():
        lines.append(f".SS {title}")
        for name, (_, about) in section.items():
            lines += [".TP", f".B bough\\-{_escape(name)}(1)", _escape(about)]
    return lines


def _write_commands_below(ctx: click.Context) -> list[str]:
    """Write the commands below a command, in full: they have no page of their own."""
    group = ctx.command
    lines: list[str] = []
    if not isinstance(group, click.Group):
        return lines
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if command is None:
            continue
        below = click.Context(command, info_name=name, parent=ctx, help_option_names=_HELP)
        deeper = _write_commands_below(below)
        if not deeper:
            usage = [below.command_path, *command.collect_usage_pieces(below)]
            lines += [f".SS {_escape(' '.join(usage))}", *_write_paragraphs(command.help or "")]
            lines += _write_options(below, command.params)
        lines += deeper
    return lines


def _write_options(ctx: click.Context, params: Sequence[click.Parameter]) -> list[str]:
    lines: list[str] = []
    for name, words in list_option_records(ctx, params):
        lines += [".TP", f".B {_escape(name)}", _escape(words)]
    return lines


def _write_paragraphs(text: str) -> list[str]:
    """Write paragraphs; those that click leaves as they are, line by line."""
    lines: list[str] = []
    for paragraph in cleandoc(text).split("\n\n"):
        words = paragraph.strip("\n")
        if not words.strip():
            continue
        if words.startswith("\b"):
            kept = [_escape(line) for line in words.lstrip("\b\n").split("\n")]
            lines += [".PP", ".nf", *kept, ".fi"]
        else:
            lines += [".PP", *(_escape(line.strip()) for line in words.split("\n"))]
    return lines


def _escape(text: str) -> str:
    """Write words so that roff takes none of them for its own."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
