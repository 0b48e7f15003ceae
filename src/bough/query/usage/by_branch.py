"""The report of conversation branches: what each used itself, and its whole path."""

from bough.query.usage.branch_shares import Branch, branches, starts_of
from bough.query.usage.report import Json, Ledger, Row, costliest_first, numbers, summed


def branch_rows(ledger: Ledger) -> list[Row]:
    """Add calls up by branch; only what is a branch's own sums to the total."""
    used = {(book.project, book.session) for book, _ in ledger.calls}
    family = [book for book in ledger.books if (book.project, book.session) in used]
    shapes = ledger.source.shapes([book for book in family if book.agent is None])
    by_path = {book.path: book for book in family}
    starts = starts_of(ledger.source.started(family), by_path)
    titles = {book.session: book.title for book in family if book.agent is None}
    rows = [
        _row(branch, titles.get(branch.session))
        for branch in branches(ledger.calls, shapes, starts, ledger.prices)
    ]
    return sorted(rows, key=lambda row: (-row.amount.cost, -row.amount.tokens, row.key))


def _row(branch: Branch, title: str | None) -> Row:
    own, path = summed(branch.own.values()), summed(branch.path.values())
    about: Json = {
        "session": branch.session,
        "tip": branch.tip,
        "active": branch.active,
        "own": numbers(own),
        "path": numbers(path),
    }
    key = f"{branch.session}/{branch.tip or ''}"
    return Row(key, own, costliest_first(branch.own), about=about, label=title, path=path)
