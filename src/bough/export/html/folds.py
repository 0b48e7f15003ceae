"""Folds: `<details>` whose summary tells the outcome and whose body may come later.

A page loads a body when its fold is opened; a document has it inside. Both work without any
script of ours.
"""

from collections.abc import Callable

from bough.export.markup.escape import escape_attribute


def render_fold(
    key: str,
    look: str,
    summary: str,
    body: Callable[[], str] | str,
    *,
    inside: bool,
    opened: bool = False,
) -> str:
    """Make a fold; its body is rendered only where it has to be inside, or is a text already."""
    named = escape_attribute(key)
    start = f'<details class="fold {look}" data-key="{named}"'
    if isinstance(body, str):
        text: str | None = body
    else:
        text = body() if inside or opened else None
    later = f' data-body="{named}"' if text is None else " open" if opened else ""
    return (
        f'{start}{later}><summary>{summary}</summary><div class="body">{text or ""}</div></details>'
    )


def render_button(do: str, words: str, **data: str | int | None) -> str:
    """Make a button that needs the page's script; words are ours and safe."""
    given = "".join(
        f' data-{name.replace("_", "-")}="{escape_attribute(str(value))}"'
        for name, value in data.items()
        if value is not None
    )
    return f'<button type="button" class="act" data-do="{do}"{given}>{words}</button>'
