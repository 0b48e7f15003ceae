"""`bough show`: a conversation as a person reads it."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, find_message, get_claude_folders, load_newest
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode, SessionNotFound
from bough.memory import pause_collector
from bough.model.outline.branch_path import find_conversation_through
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.capabilities import ColorDepth
from bough.terminal.style import glyphs_for
from bough.terminal.text import clean

if TYPE_CHECKING:
    from bough.library import PlanLink
    from bough.model.conversation.conversation import Conversation
    from bough.model.conversation.group_items import TranscriptItem
    from bough.model.session import Session


@command("show")
@click.argument("session")
@click.option("--tip", metavar="UUID", help="Read the branch that goes through this message.")
@click.option("--all", "everything", is_flag=True, help="Unfold every other branch at its place.")
@click.option("--full", is_flag=True, help="Unfold thinking, notes, tool input and output.")
@click.option("--talk", is_flag=True, help="Only prompts and answers: no steps, no thinking.")
@click.option("--agent", metavar="ID", help="Read the conversation of one of its agents.")
@click.option("--plan", is_flag=True, help="Print the text of its plans, as the client keeps it.")
@click.option("--raw", is_flag=True, help="Print the lines of the file behind the conversation.")
@click.option("--client", metavar="VERSION", help="The tip as this version would choose it.")
@click.option("--whole", is_flag=True, help="Read every record, also of 50,000 branches and more.")
@pass_globals
def show(  # noqa: PLR0913 - one for each option
    given: Globals,
    session: str,
    *,
    tip: str | None,
    everything: bool,
    full: bool,
    talk: bool,
    agent: str | None,
    plan: bool,
    raw: bool,
    client: str | None,
    whole: bool,
) -> int:
    """Read a conversation of SESSION, from its start to the active tip.

    SESSION is a path, the beginning of an id, or latest. Of a session that was deleted before
    bough saw it, the prompts are printed (bough archive lost).
    """
    if raw and given.json:
        raise click.UsageError("Give --raw or --json, not both")
    if tip is not None and everything:
        raise click.UsageError("Give --tip or --all, not both")
    if talk and (full or raw or given.json):
        raise click.UsageError("Give --talk alone, without --full, --raw or --json")
    if plan and (raw or talk or full or everything or tip is not None or agent is not None):
        raise click.UsageError("Give --plan alone, or with --json")
    try:
        whole = whole or everything or raw or plan or tip is not None or agent is not None
        asked = load_newest(given, session, client, whole=whole)
    except SessionNotFound as error:
        return _print_lost(given, session, error)
    if plan:
        return _print_plans(given, asked)
    if agent is not None:
        asked = library.find_agent(asked, check_name(agent))
    named = find_message(asked, tip) if tip is not None else None
    conversations = (
        [*asked.conversations] if everything else [find_conversation_through(asked, named)]
    )
    conversations = conversations or [asked.conversation()]
    if raw:
        return _print_raw(given, asked, conversations, everything=everything)
    if given.json:
        return _print_documents(given, asked, conversations, everything=everything)
    return _print_lines(
        given, asked, conversations, named, everything=everything, full=full, talk=talk
    )


def _print_documents(
    given: Globals, session: "Session", conversations: "list[Conversation]", *, everything: bool
) -> int:
    kept, left_out = library.limit_whole_conversations(conversations)
    documents = [
        library.conversation_document(session, each, _list_plan_links(session, each))
        for each in kept
    ]
    output.emit_json(documents if everything else documents[0], output.detect_screen(given.color))
    if left_out:
        output.say(left_out)
    return ExitCode.FINE


def _print_lost(given: Globals, session: str, error: SessionNotFound) -> int:
    """Print what is left of a session that was deleted too early; else the error holds."""
    try:
        lost = library.lost_session(session, get_claude_folders(given))
    except SessionNotFound:
        raise error from None
    from bough.cli.commands.archive_lost import print_lost_session  # noqa: PLC0415 - rarely needed

    return print_lost_session(given, lost)


def _list_plan_links(session: "Session", conversation: "Conversation") -> "list[PlanLink]":
    marks = library.find_plan_marks(session, conversation)
    return [one for found in marks.values() for one in found if isinstance(one, library.PlanLink)]


def _print_plans(given: Globals, session: "Session") -> int:
    """Print the plans that the client keeps in files of their own."""
    screen = output.detect_screen(given.color)
    if given.json:
        output.emit_json(session.plan_files, screen)
    elif session.plan_files:
        output.page_text((clean(plan.text.rstrip("\n")) for plan in session.plan_files), screen)
    else:
        output.say(f"No plan of session {session.id[:8]} is kept in a file.")
    return ExitCode.FINE if session.plan_files else ExitCode.FAILED


def _print_raw(
    given: Globals, session: "Session", conversations: "list[Conversation]", *, everything: bool
) -> int:
    """Print bytes as they are into a pipe, and what of them is safe on a terminal."""
    items: list[TranscriptItem]
    if everything:
        items = sorted([*session.records, *session.bad_lines], key=lambda item: item.offset)
    else:
        items = conversations[0].items
    screen = output.detect_screen(given.color)
    if screen.height:
        texts = (item.raw.decode("utf-8", "replace").rstrip("\r\n") for item in items)
        output.page_text((clean(text) for text in texts), screen)
    else:
        output.emit_bytes(b"".join(item.raw for item in items))
    return ExitCode.FINE if items else ExitCode.FAILED


def _print_lines(  # noqa: PLR0913 - one for each option
    given: Globals,
    session: "Session",
    conversations: "list[Conversation]",
    named: str | None,
    *,
    everything: bool,
    full: bool,
    talk: bool,
) -> int:
    from bough.terminal.conversation.conversation import page_conversation  # noqa: PLC0415 - 24 ms; JSON needs none of it

    if not session.tips and not any(conversation.messages for conversation in conversations):
        output.say(f"Session {session.id[:8]} holds no conversation.")
        return ExitCode.FAILED
    screen = output.detect_screen(given.color)
    canvas = Canvas(
        now=clock.now(),
        glyphs=glyphs_for(screen),
        columns=screen.width,
        words=clock.read_time_words(),
        full=full,
        markdown=screen.depth is not ColorDepth.PLAIN,
    )
    main = next((one for one in conversations if one.active), conversations[-1])
    with pause_collector():
        reading = page_conversation(
            session,
            conversations,
            canvas,
            named,
            everything=everything,
            talk=talk,
            plan_marks=library.find_plan_marks(session, main),
        )
    output.page_lines(reading.lines, screen, reading.choose_start(screen.height))
    return ExitCode.FINE
