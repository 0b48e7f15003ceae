"""Tools with a form of their own: lists of things to do, questions, plans, pages of the web."""

from collections.abc import Mapping
from typing import Final

from bough.export.html.tools.fields import fields_of
from bough.export.markup.escape import attribute, escaped
from bough.export.markup.markdown import linked, markdown
from bough.model.tools.call_summary import text_in
from bough.model.tools.calls import Result, ToolBlock
from bough.model.tools.structured_results import told_by

_DONE: Final = {"completed": ("done", "✓", "done"), "in_progress": ("now", "▸", "in progress")}


def todo_body(block: ToolBlock) -> str | None:
    """Show a list of things to do, each with where it stands."""
    items = _given(block).get("todos")
    rows = []
    for item in items if isinstance(items, list) else []:
        if isinstance(item, Mapping):
            look, sign, said = _DONE.get(text_in(item, "status"), ("open", "○", "to do"))
            doing = attribute(text_in(item, "activeForm"))
            title = f' title="{doing}"' if doing else ""
            rows.append(
                f'<li class="{look}"{title}>'
                f'<span role="img" aria-label="{said}">{sign}</span>'
                f'<span dir="auto">{escaped(text_in(item, "content", "subject"))}</span></li>'
            )
    return f'<ul class="todo">{"".join(rows)}</ul>' if rows else None


def question_body(block: ToolBlock) -> str | None:
    """Show what Claude asked, what could be chosen, and what was."""
    answers = told_by(block.result).answers if block.result is not None else None
    chosen = {str(k): str(v) for k, v in (answers or {}).items()}
    asked = _given(block).get("questions")
    shown = [
        _question(one, chosen.get(text_in(one, "question"), ""))
        for one in (asked if isinstance(asked, list) else [])
        if isinstance(one, Mapping)
    ]
    return "".join(shown) or None


def _question(one: Mapping[str, object], answer: str) -> str:
    rows = []
    options = one.get("options")
    said = [part.strip() for part in answer.split(",")]
    for option in options if isinstance(options, list) else []:
        label = text_in(option, "label") if isinstance(option, Mapping) else str(option)
        about = text_in(option, "description") if isinstance(option, Mapping) else ""
        on = label in said or label == answer
        sign = (
            '<span class="ok" role="img" aria-label="chosen">✓</span>' if on else "<span>○</span>"
        )
        tail = f' <span class="m">{escaped(about)}</span>' if about else ""
        rows.append(
            f'<li class="{"done" if on else "open"}">{sign}'
            f'<span dir="auto">{escaped(label)}{tail}</span></li>'
        )
    listed = f'<ul class="todo">{"".join(rows)}</ul>' if rows else ""
    own = bool(answer) and 'class="done"' not in listed
    typed = f'<p class="m" dir="auto">Answered: {escaped(answer)}</p>' if own else ""
    return f'<p class="asked" dir="auto">{escaped(text_in(one, "question"))}</p>{listed}{typed}'


def plan_body(block: ToolBlock) -> str | None:
    """Show a plan as it was written."""
    plan = text_in(_given(block), "plan")
    return f'<div class="prose">{markdown(plan)}</div>' if plan else None


def fetch_body(block: ToolBlock) -> str:
    """Show which page was asked for and what for, and the answer."""
    given = _given(block)
    head = f'<p class="m">{linked(text_in(given, "url"))}</p>'
    asked = text_in(given, "prompt")
    head += f'<p class="asked" dir="auto">{escaped(asked)}</p>' if asked else ""
    return head + _prose(block.result)


def search_body(block: ToolBlock) -> str:
    """Show the pages a search found, and what was said of them."""
    result = block.result
    rows = []
    for page in _pages(result) if result is not None else []:
        title, url = text_in(page, "title"), text_in(page, "url")
        rows.append(f'<li dir="auto">{escaped(title)} <span class="m">{linked(url)}</span></li>')
    listed = f'<ol class="pages">{"".join(rows)}</ol>' if rows else ""
    asked = escaped(text_in(_given(block), "query"))
    return f'<p class="asked" dir="auto">{asked}</p>{listed}{_prose(result)}'


def task_body(block: ToolBlock) -> str | None:
    """Show a thing to do that was noted, with what is said about it."""
    given = _given(block)
    subject, about = text_in(given, "subject"), text_in(given, "description")
    if not subject:
        return None
    rest = fields_of(given, frozenset({"subject", "description"}))
    return (
        f'<p class="asked" dir="auto">{escaped(subject)}</p>'
        f'<div class="prose">{markdown(about)}</div>{rest}'
    )


def _pages(result: Result) -> list[Mapping[str, object]]:
    found: list[Mapping[str, object]] = []
    for one in told_by(result).results or ():
        content = one.get("content") if isinstance(one, dict) else None
        found += [page for page in content or () if isinstance(page, Mapping)]
    return found


def _prose(result: Result | None) -> str:
    text = result.text if result is not None else ""
    return f'<div class="prose">{markdown(text)}</div>' if text.strip() else ""


def _given(block: ToolBlock) -> Mapping[str, object]:
    return block.input if isinstance(block.input, Mapping) else {}
