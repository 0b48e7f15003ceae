"""`bough export`: a conversation as a document, to keep, to share or to feed to a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import (
    check_name,
    get_claude_folders,
    load_session,
    report_problems,
)
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode
from bough.memory import pause_collector

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bough.library import Export, ExportChoices, ExportFormat, SecretFinding
    from bough.model.session import Session

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
    type=click.Choice([to.value for to in library.ExportFormat]),
    help="The form; else by the name of the file, else md.",
)
@click.option("--tip", metavar="UUID", help="The branch that goes through this message.")
@click.option("--all-branches", is_flag=True, help="Include the branches that were left behind.")
@click.option("--agents/--no-agents", default=True, help="The conversations of agents.")
@click.option("--thinking/--no-thinking", default=True, help="What Claude thought.")
@click.option("--tools/--no-tools", default=True, help="The calls of tools.")
@click.option("--results/--no-results", default=True, help="What tools gave back.")
@click.option("--keep-secrets", is_flag=True, help="Do not hide what looks like a secret.")
@click.option("--redact", is_flag=True, hidden=True, expose_value=False)
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
@click.option("--whole", is_flag=True, help="Write every record, also of 50,000 branches and more.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
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
    keep_secrets: bool,
    redact_emails: bool,
    for_llm: bool,
    budget: str | None,
    place: str | None,
    whole: bool,
    force: bool,
) -> int:
    """Write SESSION as Markdown, HTML, JSON or slides, from its start to the active tip.

    SESSION is a path, the beginning of an id, or latest. An HTML file opens offline, in the
    looks of the web app; with --to present it is gone through slide by slide. What looks like a
    secret is hidden unless --keep-secrets is given; what was hidden is said on stderr.
    """
    if (session is None) == (not projects):
        raise click.UsageError("Give a SESSION or --project PROJECT")
    form = _choose_format(given, to, place, for_llm=for_llm)
    choices: ExportChoices = {
        "all_branches": all_branches,
        "agents": agents,
        "thinking": thinking,
        "tools": tools,
        "results": results,
        "redact": not keep_secrets,
        "redact_emails": redact_emails,
        "for_llm": for_llm,
        "budget": library.DEFAULT_BUDGET if budget is None else library.parse_budget(budget),
    }
    if all_branches and form is library.ExportFormat.PRESENT:
        raise click.UsageError("--to present shows one branch; name it with --tip")
    if budget is not None and not for_llm:
        raise click.UsageError("--budget is for --for-llm")
    if session is None:
        if tip is not None or for_llm or place in (None, STDOUT):
            raise click.UsageError("--project wants --output FOLDER, and no --tip or --for-llm")
        return _export_site(given, projects, form, choices, place or "", force=force)
    read = load_session(given, session)
    if not whole and tip is None:
        read = library.keep_drawable(read)  # the document and its report say so
    return _export_one(given, read, form, choices, tip, place, force=force)


def _choose_format(
    given: Globals, to: str | None, place: str | None, *, for_llm: bool
) -> "ExportFormat":
    if given.json and to not in (None, library.ExportFormat.JSON):
        raise click.UsageError("Give --to or --json, not both")
    if for_llm and (given.json or to not in (None, library.ExportFormat.MARKDOWN)):
        raise click.UsageError("--for-llm writes Markdown; leave --to out")
    if given.json:
        return library.ExportFormat.JSON
    return library.choose_format(to, place)


def _export_one(  # noqa: PLR0913 - what was asked, each for itself
    given: Globals,
    session: "Session",
    form: "ExportFormat",
    choices: "ExportChoices",
    tip: str | None,
    place: str | None,
    *,
    force: bool,
) -> int:
    screen = output.detect_screen(given.color)
    is_html = form in (library.ExportFormat.HTML, library.ExportFormat.PRESENT)
    if place is None and is_html and screen.height:
        place = library.make_file_name(session, form.suffix)  # nobody reads HTML on a terminal
    file = None if place in (None, STDOUT) else Path(check_name(place or "")).expanduser()
    with pause_collector():
        made = library.export(
            session,
            file,
            to=form,
            tip=check_name(tip) if tip is not None else None,
            force=force,
            claude_dir=given.claude_dirs,
            **choices,
        )
    if file is None and screen.height:
        from bough.terminal.text import clean  # noqa: PLC0415 - rarely asked

        text = made.body.decode("utf-8", "replace")
        output.page_text((clean(line) for line in text.rstrip("\n").split("\n")), screen)
    elif file is None:
        output.emit_bytes(made.body)
    output.flush_output()
    _report_export(made, file, choices)
    return ExitCode.FINE


def _export_site(
    given: Globals,
    wanted: "Sequence[str]",
    form: "ExportFormat",
    choices: "ExportChoices",
    place: str,
    *,
    force: bool,
) -> int:
    from bough.model.text.formats import format_count, format_plural, format_size  # noqa: PLC0415

    if form in (library.ExportFormat.JSON, library.ExportFormat.PRESENT):
        raise click.UsageError("--project writes html or md")
    folder = Path(check_name(place)).expanduser()

    def progress(done: int, everything: int) -> None:
        output.show_status(f"{format_count(done)} of {format_plural(everything, 'session')}")

    pages = library.export_site(
        [check_name(name) for name in wanted],
        folder,
        to=form,
        force=force,
        claude_dir=get_claude_folders(given),
        progress=progress,
        **choices,
    )
    output.show_status("")
    written = [page for page in pages if not page.problem]
    trouble = report_problems([page.problem for page in pages if page.problem])
    total = sum(page.bytes for page in written)
    output.say(f"Wrote {format_plural(len(written), 'session')} to {folder}, {format_size(total)}.")
    if _is_redacted(choices):
        _report_findings([finding for page in written for finding in page.findings])
    return ExitCode.FAILED if trouble and not written else ExitCode.FINE


def _is_redacted(choices: "ExportChoices") -> bool:
    return choices["redact"] or choices["redact_emails"]


def _report_export(made: "Export", file: Path | None, choices: "ExportChoices") -> None:
    from bough.model.text.formats import format_size  # noqa: PLC0415 - with the rest of the export

    if file is not None:
        output.say(f"Wrote {file}, {format_size(len(made.body))}.")
    if choices["for_llm"]:
        from bough.model.text.formats import format_tokens  # noqa: PLC0415

        about = library.estimate_tokens(made.body.decode("utf-8", "replace"))
        output.say(
            f"About {format_tokens(about)} tokens, at four bytes each. {made.left_out}".rstrip()
        )
    elif made.left_out:
        output.say(made.left_out)
    if _is_redacted(choices):
        _report_findings(made.findings)


def _report_findings(findings: "Iterable[SecretFinding]") -> None:
    """Say what was hidden, by kind, each secret by its beginning."""
    from bough.model.text.formats import format_plural  # noqa: PLC0415 - see above

    found: dict[str, tuple[int, list[str]]] = {}
    for finding in findings:
        count, masked = found.get(finding.kind, (0, []))
        found[finding.kind] = (count + finding.count, [*masked, *finding.masked])
    if not found:
        return
    total = sum(count for count, _ in found.values())
    output.say(f"Hidden in {format_plural(total, 'place')}:")
    for kind, (count, masked) in found.items():
        several = list(dict.fromkeys(masked))
        more = f" and {len(several) - _SHOWN:,} more" if len(several) > _SHOWN else ""
        shown = ", ".join(several[:_SHOWN])
        output.say(f"  {kind}: {shown}{more} ({format_plural(count, 'place')})")
