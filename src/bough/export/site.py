"""Projects as a small site: a list of sessions, each of them a page that stands alone.

Sessions are written by two processes where the machine has two cores: rendering is all the
work there is, and no page needs another.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.errors import BoughError
from bough.export.document import export_session
from bough.export.document_options import ExportFormat, ExportOptions, SecretFinding
from bough.export.header import Fact, make_page_name
from bough.export.html.page import render_header, wrap_document
from bough.export.markdown.fences import escape_inline
from bough.export.markup.escape import escape_attribute, isolate_text
from bough.export.save import save_file
from bough.files.discover import ProjectFiles
from bough.ingest.project_names import find_project_path
from bough.memory import collect_rarely, exempt_existing_objects
from bough.model.text.formats import base_name_of, format_plural, format_size
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.sessions.load_session import read_session_in
from bough.query.sessions.project_folder import ProjectFolder

_FEW: Final = 4
_PAGES: Final = {ExportFormat.HTML: "index.html", ExportFormat.MARKDOWN: "README.md"}


class SitePage(Struct, frozen=True):
    """A session's page, and what the list says of it; `problem` where there is none."""

    project: str
    name: str
    title: str
    facts: tuple[Fact, ...] = ()
    bytes: int = 0
    findings: tuple[SecretFinding, ...] = ()
    ended_at: str = ""
    problem: str = ""


class PageJob(Struct, frozen=True):
    """A session to write, and where to."""

    path: Path
    project: str
    folder: Path
    include: ExportOptions


def write_site(
    projects: Sequence[ProjectFiles],
    include: ExportOptions,
    folder: Path,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> list[SitePage]:
    """Write the pages of some projects and the list that leads to them.

    The folder has to be there. What cannot be read becomes a page with a problem, of which
    there is no file.
    """
    jobs = plan_pages(projects, include, folder)
    pages: list[SitePage] = []
    for done, page in enumerate(_write_pages(jobs), 1):
        if page is not None:
            pages.append(page)
        progress(done, len(jobs))
    pages.sort(key=lambda page: (page.ended_at, page.name), reverse=True)
    pages.sort(key=lambda page: page.project)
    write = _render_html_list if include.to is ExportFormat.HTML else _render_markdown_list
    save_file(folder / _PAGES[include.to], write(pages).encode())
    return pages


def plan_pages(
    projects: Sequence[ProjectFiles], include: ExportOptions, folder: Path
) -> list[PageJob]:
    """List the sessions to write; whether anything was said in one is seen when it is read."""
    jobs = []
    for listing in projects:
        project = base_name_of(find_project_path(listing, USUAL_SOURCES) or listing.dir)
        files = (session.path for session in listing.sessions if session.path is not None)
        jobs += [PageJob(file, project, folder, include) for file in files]
    # The largest first, so that no process is left alone with it at the end.
    sizes = {session.path: session.size for listing in projects for session in listing.sessions}
    return sorted(jobs, key=lambda job: -sizes[job.path])


def _write_pages(jobs: Sequence[PageJob]) -> Iterator[SitePage | None]:
    workers = min(os.cpu_count() or 1, len(jobs) // _FEW)
    if workers < 2:
        yield from map(write_page, jobs)
        return
    if any(job.include.is_redacted for job in jobs):
        from bough.export.secrets.redact import prepare_patterns  # noqa: PLC0415 - it takes 0.1 s

        # Fast path: benchmarks/export.py, 0.1 s less for each process that is a copy of this one.
        prepare_patterns()
    with ProcessPoolExecutor(workers, initializer=_tune_collector) as pool:
        yield from pool.map(write_page, jobs)


def _tune_collector() -> None:
    exempt_existing_objects()
    collect_rarely()


def write_page(job: PageJob) -> SitePage | None:
    """Write the page of one session; None where nothing was said in it."""
    empty = SitePage(job.project, job.path.stem, job.path.stem)
    try:
        session = read_session_in(_open_folder(job.path.parent), job.path)
        if not session.tips:
            return None
        made = export_session(session, job.include)
        name = make_page_name(session, job.include.to)
        save_file(job.folder / name, made.body)
    except BoughError as error:
        return replace(empty, problem=error.message)
    return SitePage(
        project=job.project,
        name=name,
        title=made.title,
        facts=made.facts,
        bytes=len(made.body),
        findings=made.findings,
        ended_at=session.ended_at or "",
    )


@cache
def _open_folder(path: Path) -> ProjectFolder:
    """Share what sessions of one project ask about their folder."""
    return ProjectFolder(path)


def _site_title(pages: Sequence[SitePage]) -> str:
    names = list(dict.fromkeys(page.project for page in pages))
    return names[0] if len(names) == 1 else format_plural(len(names), "project")


def _describe_page(page: SitePage) -> str:
    facts = {fact.name: fact.text for fact in page.facts}
    words = [
        facts.get("When", "").partition(" (")[0],
        facts.get("Length", ""),
        format_size(page.bytes),
    ]
    return ", ".join(word for word in words if word)


def _render_html_list(pages: Sequence[SitePage]) -> str:
    parts = []
    shown = [page for page in pages if not page.problem]
    many = len({page.project for page in shown}) > 1
    for project, own in groupby(shown, key=lambda page: page.project):
        rows = "".join(
            f'<li><a href="{escape_attribute(page.name)}">{isolate_text(page.title)}</a>'
            f"<p>{isolate_text(_describe_page(page))}</p></li>"
            for page in own
        )
        head = f"<h2>{isolate_text(project)}</h2>" if many else ""
        parts.append(f"{head}<ol>{rows}</ol>")
    facts = [Fact("Sessions", f"{len(shown):,}")]
    body = f'{render_header(_site_title(pages), facts)}<main class="list">{"".join(parts)}</main>'
    return wrap_document(_site_title(pages), body)


def _render_markdown_list(pages: Sequence[SitePage]) -> str:
    parts = [f"# {escape_inline(_site_title(pages))}"]
    shown = [page for page in pages if not page.problem]
    many = len({page.project for page in shown}) > 1
    for project, own in groupby(shown, key=lambda page: page.project):
        parts += [f"## {escape_inline(project)}"] if many else []
        rows = (
            f"- [{escape_inline(page.title)}](<{page.name}>), {_describe_page(page)}"
            for page in own
        )
        parts.append("\n".join(rows))
    return "\n\n".join(parts) + "\n"
