"""Tools with a form of their own: lists of things to do, questions, plans, pages of the web."""

from collections.abc import Mapping
from typing import Final

from bough.export.html.tools.fields import render_fields
from bough.export.markup.escape import escape_attribute, escape_html
from bough.export.markup.markdown import link_addresses, render_markdown
from bough.model.tools.call_summary import find_text
from bough.model.tools.calls import CallResult, ToolBlock
from bough.model.tools.structured_results import read_structured_result

_DONE: Final = {"completed": ("done", "✓", "done"), "in_progress": ("now", "▸", "in progress")}


def render_todos(block: ToolBlock) -> str | None:
    """Show a list of things to do, each with where it stands."""
    items = _input_of(block).get("todos")
    rows = []
    for item in items if isinstance(items, list) else []:
        if isinstance(item, Mapping):
            look, sign, said = _DONE.get(find_text(item, "status"), ("open", "○", "to do"))
            doing = escape_attribute(find_text(item, "activeForm"))
            title = f' title="{doing}"' if doing else ""
            rows.append(
                f'<li class="{look}"{title}>'
                f'<span role="img" aria-label="{said}">{sign}</span>'
                f'<span dir="auto">{escape_html(find_text(item, "content", "subject"))}</span></li>'
            )
    return f'<ul class="todo">{"".join(rows)}</ul>' if rows else None


def render_questions(block: ToolBlock) -> str | None:
    """Show what Claude asked, what could be chosen, and what was."""
    answers = read_structured_result(block.result).answers if block.result is not None else None
    chosen = {str(k): str(v) for k, v in (answers or {}).items()}
    asked = _input_of(block).get("questions")
    shown = [
        _render_question(one, chosen.get(find_text(one, "question"), ""))
        for one in (asked if isinstance(asked, list) else [])
        if isinstance(one, Mapping)
    ]
    return "".join(shown) or None


def _render_question(one: Mapping[str, object], answer: str) -> str:
    rows = []
    options = one.get("options")
    said = [part.strip() for part in answer.split(",")]
    for option in options if isinstance(options, list) else []:
        label = find_text(option, "label") if isinstance(option, Mapping) else str(option)
        about = find_text(option, "description") if isinstance(option, Mapping) else ""
        on = label in said or label == answer
        sign = (
            '<span class="ok" role="img" aria-label="chosen">✓</span>' if on else "<span>○</span>"
        )
        tail = f' <span class="m">{escape_html(about)}</span>' if about else ""
        rows.append(
            f'<li class="{"done" if on else "open"}">{sign}'
            f'<span dir="auto">{escape_html(label)}{tail}</span></li>'
        )
    listed = f'<ul class="todo">{"".join(rows)}</ul>' if rows else ""
    own = bool(answer) and 'class="done"' not in listed
    typed = f'<p class="m" dir="auto">Answered: {escape_html(answer)}</p>' if own else ""
    return (
        f'<p class="asked" dir="auto">{escape_html(find_text(one, "question"))}</p>{listed}{typed}'
    )


def render_plan(block: ToolBlock) -> str | None:
    """Show a plan as it was written."""
    plan = find_text(_input_of(block), "plan")
    return f'<div class="prose">{render_markdown(plan)}</div>' if plan else None


def render_fetch(block: ToolBlock) -> str:
    """Show which page was asked for and what for, and the answer."""
    given = _input_of(block)
    head = f'<p class="m">{link_addresses(find_text(given, "url"))}</p>'
    asked = find_text(given, "prompt")
    head += f'<p class="asked" dir="auto">{escape_html(asked)}</p>' if asked else ""
    return head + _render_prose(block.result)


def render_search(block: ToolBlock) -> str:
    """Show the pages a search found, and what was said of them."""
    result = block.result
    rows = []
    for page in _list_pages(result) if result is not None else []:
        title, url = find_text(page, "title"), find_text(page, "url")
        rows.append(
            f'<li dir="auto">{escape_html(title)} <span class="m">{link_addresses(url)}</span></li>'
        )
    listed = f'<ol class="pages">{"".join(rows)}</ol>' if rows else ""
    asked = escape_html(find_text(_input_of(block), "query"))
    return f'<p class="asked" dir="auto">{asked}</p>{listed}{_render_prose(result)}'


def render_task(block: ToolBlock) -> str | None:
    """Show a thing to do that was noted, with what is said about it."""
    given = _input_of(block)
    subject, about = find_text(given, "subject"), find_text(given, "description")
    if not subject:
        return None
    rest = render_fields(given, frozenset({"subject", "description"}))
    return (
        f'<p class="asked" dir="auto">{escape_html(subject)}</p>'
        f'<div class="prose">{render_markdown(about)}</div>{rest}'
    )


def _list_pages(result: CallResult) -> list[Mapping[str, object]]:
    found: list[Mapping[str, object]] = []
    for one in read_structured_result(result).results or ():
        content = one.get("content") if isinstance(one, dict) else None
        found += [page for page in content or () if isinstance(page, Mapping)]
    return found


def _render_prose(result: CallResult | None) -> str:
    text = result.text if result is not None else ""
    return f'<div class="prose">{render_markdown(text)}</div>' if text.strip() else ""


def _input_of(block: ToolBlock) -> Mapping[str, object]:
    return block.input if isinstance(block.input, Mapping) else {}
