"""Projects as a small site: a list of sessions, each of them a page that stands alone.

Sessions are written by two processes where the machine has two cores: rendering is all the
work there is, and no page needs another.
"""

import gc
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
from bough.export.document import make
from bough.export.document_options import Finding, Include, To
from bough.export.header import Fact
from bough.export.html.page import document, header
from bough.export.markdown.fences import inline
from bough.export.markup.escape import attribute, isolated
from bough.export.save import save
from bough.files.discover import ProjectFiles
from bough.ingest.project_names import path_of
from bough.model.text.formats import name_of, plural, size
from bough.query.sessions.load_session import read_in
from bough.query.sessions.project_folder import Folder

_FEW: Final = 4
_PAGES: Final = {To.HTML: "index.html", To.MARKDOWN: "README.md"}


class Page(Struct, frozen=True):
    """A session's page, and what the list says of it; `problem` where there is none."""

    project: str
    name: str
    title: str
    facts: tuple[Fact, ...] = ()
    bytes: int = 0
    findings: tuple[Finding, ...] = ()
    ended_at: str = ""
    problem: str = ""


class Job(Struct, frozen=True):
    """A session to write, and where to."""

    path: Path
    project: str
    folder: Path
    include: Include


def write_site(
    projects: Sequence[ProjectFiles],
    include: Include,
    folder: Path,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> list[Page]:
    """Write the pages of some projects and the list that leads to them.

    The folder has to be there. What cannot be read becomes a page with a problem, of which
    there is no file.
    """
    jobs = pages_of(projects, include, folder)
    pages: list[Page] = []
    for done, page in enumerate(_written(jobs), 1):
        if page is not None:
            pages.append(page)
        progress(done, len(jobs))
    pages.sort(key=lambda page: (page.ended_at, page.name), reverse=True)
    pages.sort(key=lambda page: page.project)
    write = _html_list if include.to is To.HTML else _markdown_list
    save(folder / _PAGES[include.to], write(pages).encode())
    return pages


def pages_of(projects: Sequence[ProjectFiles], include: Include, folder: Path) -> list[Job]:
    """List the sessions to write; whether anything was said in one is seen when it is read."""
    jobs = []
    for listing in projects:
        project = name_of(path_of(listing) or listing.dir)
        files = (session.path for session in listing.sessions if session.path is not None)
        jobs += [Job(file, project, folder, include) for file in files]
    # The largest first, so that no process is left alone with it at the end.
    sizes = {session.path: session.size for listing in projects for session in listing.sessions}
    return sorted(jobs, key=lambda job: -sizes[job.path])


def _written(jobs: Sequence[Job]) -> Iterator[Page | None]:
    workers = min(os.cpu_count() or 1, len(jobs) // _FEW)
    if workers < 2:
        yield from map(write_page, jobs)
        return
    with ProcessPoolExecutor(workers, initializer=_settle) as pool:
        yield from pool.map(write_page, jobs)


def _settle() -> None:
    """Look for circles rarely: a page is made of many small values that hold none."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def write_page(job: Job) -> Page | None:
    """Write the page of one session; None where nothing was said in it."""
    empty = Page(job.project, job.path.stem, job.path.stem)
    try:
        session = read_in(_folder(job.path.parent), job.path)
        if not session.tips:
            return None
        made = make(session, job.include)
        # Two sessions may share their first letters: then the whole id tells them apart.
        name = f"{made.name.rpartition('.')[0][:-8]}{session.id}.{job.include.to}"
        save(job.folder / name, made.body)
    except BoughError as error:
        return replace(empty, problem=error.message)
    return Page(
        project=job.project,
        name=name,
        title=made.title,
        facts=made.facts,
        bytes=len(made.body),
        findings=made.findings,
        ended_at=session.ended_at or "",
    )


@cache
def _folder(path: Path) -> Folder:
    """Share what sessions of one project ask about their folder."""
    return Folder(path)


def _title(pages: Sequence[Page]) -> str:
    names = list(dict.fromkeys(page.project for page in pages))
    return names[0] if len(names) == 1 else plural(len(names), "project")


def _about(page: Page) -> str:
    facts = {fact.name: fact.text for fact in page.facts}
    words = [facts.get("When", "").partition(" (")[0], facts.get("Length", ""), size(page.bytes)]
    return ", ".join(word for word in words if word)


def _html_list(pages: Sequence[Page]) -> str:
    parts = []
    shown = [page for page in pages if not page.problem]
    many = len({page.project for page in shown}) > 1
    for project, own in groupby(shown, key=lambda page: page.project):
        rows = "".join(
            f'<li><a href="{attribute(page.name)}">{isolated(page.title)}</a>'
            f"<p>{isolated(_about(page))}</p></li>"
            for page in own
        )
        head = f"<h2>{isolated(project)}</h2>" if many else ""
        parts.append(f"{head}<ol>{rows}</ol>")
    facts = [Fact("Sessions", f"{len(shown):,}")]
    body = f'{header(_title(pages), facts)}<main class="list">{"".join(parts)}</main>'
    return document(_title(pages), body)


def _markdown_list(pages: Sequence[Page]) -> str:
    parts = [f"# {inline(_title(pages))}"]
    shown = [page for page in pages if not page.problem]
    many = len({page.project for page in shown}) > 1
    for project, own in groupby(shown, key=lambda page: page.project):
        parts += [f"## {inline(project)}"] if many else []
        rows = (f"- [{inline(page.title)}](<{page.name}>), {_about(page)}" for page in own)
        parts.append("\n".join(rows))
    return "\n\n".join(parts) + "\n"
