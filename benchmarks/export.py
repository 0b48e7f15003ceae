"""Write every session of a folder of projects as HTML: our side of the row `export-html`.

    python -m benchmarks.export PROJECTS OUT [--keep-secrets] [--profile]
    python benchmarks/compare.py --rows export-html

The first is what is timed: one page for each session, agents, highlighting and all, and the
list of them, as `bough export --project` writes it for one project. What looks like a secret is
hidden, which no peer does; with --keep-secrets the work is the peer's. The second runs it in
turn with claude-code-log on the same files and judges the ratio. With --profile it runs in
one process and prints where the time went.
"""

import argparse
import cProfile
import pstats
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from bough.export.document_options import ExportFormat, ExportOptions
from bough.export.save import make_folder
from bough.export.site import SitePage, plan_pages, write_page, write_site
from bough.query.lists.projects import project_listings

_SHOWN = 35


def written(projects: Path, out: Path, how: ExportOptions) -> list[SitePage]:
    """Write the site of everything."""
    make_folder(out)
    return write_site(project_listings([projects.parent]), how, out)


def profiled(projects: Path, out: Path, how: ExportOptions) -> list[SitePage]:
    """Write the same pages one by one, and print where the time went."""
    make_folder(out)
    profile = cProfile.Profile()
    jobs = plan_pages(project_listings([projects.parent]), how, out)
    pages = profile.runcall(lambda: [page for job in jobs if (page := write_page(job))])
    pstats.Stats(profile).sort_stats("tottime").print_stats(_SHOWN)
    return pages


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages and say how many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--keep-secrets", action="store_true", help="hide none, as peers do")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args(arguments)
    start = perf_counter()
    how = ExportOptions(to=ExportFormat.HTML, redact=not options.keep_secrets)
    pages = (profiled if options.profile else written)(options.projects, options.out, how)
    problems = [page for page in pages if page.problem]
    size = sum(page.bytes for page in pages) / 1e6
    taken = perf_counter() - start
    print(f"{len(pages)} pages, {size:.0f} MB, {taken:.1f} s", file=sys.stderr)
    return 1 if problems or not pages else 0


if __name__ == "__main__":
    raise SystemExit(main())
