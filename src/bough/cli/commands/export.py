"""`bough export`: a conversation as a document, to keep, to share or to feed to a model."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from msgspec.structs import replace

from bough.cli import output
from bough.cli.arguments import (
    check_name,
    find_message,
    get_claude_folders,
    load_session,
    report_problems,
)
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode, Misuse
from bough.export.document_options import DEFAULT_BUDGET, ExportFormat, ExportOptions
from bough.export.header import make_file_name
from bough.export.save import check_file, check_folder, make_folder, save_file
from bough.model.text.formats import format_count, format_plural, format_size, format_tokens
from bough.terminal.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bough.export.document import Export
    from bough.export.document_options import SecretFinding

_SUFFIXES: Final = {
    ".md": ExportFormat.MARKDOWN,
    ".markdown": ExportFormat.MARKDOWN,
    ".html": ExportFormat.HTML,
}
_SUFFIXES[".htm"], _SUFFIXES[".json"] = ExportFormat.HTML, ExportFormat.JSON
_BUDGET: Final = re.compile(r"([0-9][0-9,_]{0,14}(?:\.[0-9]{1,3})?) ?([kKmM]?)([bB]?)")
_TIMES: Final = {"": 1, "k": 1_000, "m": 1_000_000}
_SHOWN: Final = 6
STDOUT: Final = "-"


@command("export")
@click.argument("session", required=False)
@click.option(
    "--project",
    "projects",
    multiple=True,
    metavar="PROJECT",
    help="Export every session of PROJECT as a small site; may be given again.",
)
@click.option(
    "--to",
    type=click.Choice([to.value for to in ExportFormat]),
    help="The form; else by the name of the file, else md.",
)
@click.option("--tip", metavar="UUID", help="The branch that goes through this message.")
@click.option("--all-branches", is_flag=True, help="Also the branches that were left behind.")
@click.option("--agents/--no-agents", default=True, help="The conversations of agents.")
@click.option("--thinking/--no-thinking", default=True, help="What Claude thought.")
@click.option("--tools/--no-tools", default=True, help="The calls of tools.")
@click.option("--results/--no-results", default=True, help="What tools gave back.")
@click.option("--redact", is_flag=True, help="Hide what looks like a secret.")
@click.option("--redact-emails", is_flag=True, help="Hide e-mail addresses.")
@click.option("--for-llm", is_flag=True, help="Write for a model to read, within --budget.")
@click.option(
    "--budget",
    metavar="SIZE",
    help="How much that may be: 50000 or 50k tokens, or 200kB.  [default: 100k]",
)
@click.option(
    "-o",
    "--output",
    "place",
    metavar="FILE",
    help="Where to write; - is stdout. With --project, a folder.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@pass_globals
def export(  # noqa: PLR0913 - one for each option
    given: Globals,
    session: str | None,
    *,
    projects: tuple[str, ...],
    to: str | None,
    tip: str | None,
    all_branches: bool,
    agents: bool,
    thinking: bool,
    tools: bool,
    results: bool,
    redact: bool,
    redact_emails: bool,
    for_llm: bool,
    budget: str | None,
    place: str | None,
    force: bool,
) -> int:
    """Write SESSION as Markdown, HTML or JSON, from its start to the active tip.

    SESSION is a path, the beginning of an id, or latest. An HTML file opens offline, in the
    looks of the web app. What was hidden is said on stderr.
    """
    if (session is None) == (not projects):
        raise click.UsageError("Give a SESSION, or --project PROJECT")
    include = ExportOptions(
        to=_choose_format(given, to, place, for_llm=for_llm),
        all_branches=all_branches,
        agents=agents,
        thinking=thinking,
        tools=tools,
        results=results,
        redact=redact,
        emails=redact_emails,
        for_llm=for_llm,
        budget=parse_budget(budget) if budget is not None else DEFAULT_BUDGET,
    )
    if budget is not None and not for_llm:
        raise click.UsageError("--budget is for --for-llm")
    if session is None:
        if tip is not None or for_llm or place in (None, STDOUT):
            raise click.UsageError("--project wants --output FOLDER, and no --tip or --for-llm")
        return _export_site(given, projects, include, place or "", force=force)
    return _export_one(given, session, include, tip, place, force=force)


def parse_budget(text: str) -> int:
    """Read a budget: 50000, 50k, 1.5M tokens; or a size such as 200kB."""
    from bough.export.llm.fit import BYTES_PER_TOKEN  # noqa: PLC0415 - 8 ms, rarely asked

    match = _BUDGET.fullmatch(text.strip())
    number = float(re.sub("[,_]", "", match[1])) * _TIMES[match[2].lower()] if match else 0
    if match is None or number < 1:
        raise Misuse(f"{text} is no budget. It looks like 50000, 50k or 200kB.")
    return max(1, int(number / BYTES_PER_TOKEN if match[3] else number))


def _choose_format(
    given: Globals, to: str | None, place: str | None, *, for_llm: bool
) -> ExportFormat:
    if given.json and to not in (None, ExportFormat.JSON):
        raise click.UsageError("Give --to or --json, not both")
    if for_llm and (given.json or to not in (None, ExportFormat.MARKDOWN)):
        raise click.UsageError("--for-llm writes Markdown; leave --to out")
    if given.json:
        return ExportFormat.JSON
    if to is not None:
        return ExportFormat(to)
    return _SUFFIXES.get(Path(place or "").suffix.lower(), ExportFormat.MARKDOWN)


def _export_one(
    given: Globals,
    wanted: str,
    include: ExportOptions,
    tip: str | None,
    place: str | None,
    *,
    force: bool,
) -> int:
    from bough.export.document import export_session  # noqa: PLC0415 - 13 ms; a site needs more

    session = load_session(given, wanted)
    if tip is not None:
        include = replace(include, tip=find_message(session, tip))
    screen = output.detect_screen(given.color)
    if place is None and include.to is ExportFormat.HTML and screen.height:
        place = make_file_name(session, ExportFormat.HTML)  # nobody reads HTML on a terminal
    file = None if place in (None, STDOUT) else Path(check_name(place or "")).expanduser()
    if file is not None:
        check_file(file, _list_claude_folders(given, session.path), force=force)
    if not session.tips and not session.conversation().messages:
        output.say(f"Session {session.id[:8]} holds no conversation.")
        return ExitCode.FAILED
    made = export_session(session, include)
    if file is not None:
        save_file(file, made.body)
    elif screen.height:
        text = made.body.decode("utf-8", "replace")
        output.page_lines((clean(line) for line in text.rstrip("\n").split("\n")), screen)
    else:
        output.emit_bytes(made.body)
    output.flush_output()
    _report_export(made, file, include)
    return ExitCode.FINE


def _export_site(
    given: Globals, wanted: "Sequence[str]", include: ExportOptions, place: str, *, force: bool
) -> int:
    from bough.export.site import write_site  # noqa: PLC0415 - 37 ms; one document needs none of it
    from bough.query.lists.projects import project_listings  # noqa: PLC0415 - 9 ms, as above
    from bough.query.lookup import find_project  # noqa: PLC0415 - 10 ms, as above

    if include.to is ExportFormat.JSON:
        raise click.UsageError("--project writes html or md")
    folder = Path(check_name(place)).expanduser()
    check_folder(folder, _list_claude_folders(given, None), force=force)
    listings = project_listings(get_claude_folders(given))
    chosen = [find_project(check_name(name), listings) for name in wanted]
    make_folder(folder)

    def progress(done: int, everything: int) -> None:
        output.show_status(f"{format_count(done)} of {format_plural(everything, 'session')}")

    pages = write_site(chosen, include, folder, progress)
    output.show_status("")
    written = [page for page in pages if not page.problem]
    trouble = report_problems([page.problem for page in pages if page.problem])
    total = sum(page.bytes for page in written)
    output.say(f"Wrote {format_plural(len(written), 'session')} to {folder}, {format_size(total)}.")
    if include.is_redacted:
        _report_findings([finding for page in written for finding in page.findings])
    return ExitCode.FAILED if trouble and not written else ExitCode.FINE


def _list_claude_folders(given: Globals, session: str | None) -> list[Path]:
    """List the Claude folders that were named, and the one a session lies in."""
    named = [Path(folder).expanduser() for folder in given.claude_dirs]
    parents = Path(session).absolute().parents if session is not None else ()
    above = [place.parent for place in parents if place.name == "projects"]
    return [*named, *above]


def _report_export(made: "Export", file: Path | None, include: ExportOptions) -> None:
    if file is not None:
        output.say(f"Wrote {file}, {format_size(len(made.body))}.")
    if include.for_llm:
        from bough.export.llm.fit import estimate_tokens  # noqa: PLC0415 - 8 ms, rarely asked

        about = estimate_tokens(made.body.decode("utf-8", "replace"))
        output.say(
            f"About {format_tokens(about)} tokens, at four bytes each. {made.left_out}".rstrip()
        )
    if include.is_redacted:
        _report_findings(made.findings)


def _report_findings(findings: "Iterable[SecretFinding]") -> None:
    """Say what was hidden, by kind, each secret by its beginning."""
    found: dict[str, tuple[int, list[str]]] = {}
    for finding in findings:
        count, masked = found.get(finding.kind, (0, []))
        found[finding.kind] = (count + finding.count, [*masked, *finding.masked])
    if not found:
        output.say("Nothing that looks like a secret was found.")
        return
    total = sum(count for count, _ in found.values())
    output.say(f"Hidden in {format_plural(total, 'place')}:")
    for kind, (count, masked) in found.items():
        several = list(dict.fromkeys(masked))
        more = f" and {len(several) - _SHOWN:,} more" if len(several) > _SHOWN else ""
        shown = ", ".join(several[:_SHOWN])
        output.say(f"  {kind}: {shown}{more} ({format_plural(count, 'place')})")
