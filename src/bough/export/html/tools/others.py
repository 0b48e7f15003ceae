"""Tools with a form of their own: lists of things to do, questions, plans, pages of the web."""

from typing import Final

from bough.export.html.tools.fields import render_fields
from bough.export.markup.escape import escape_attribute, escape_html
from bough.export.markup.markdown import link_addresses, render_markdown
from bough.model.tools.call_detail import (
    Checklist,
    ChecklistItem,
    PageFetch,
    PageSearch,
    PlanText,
    Question,
    QuestionList,
    TaskNote,
    ToolOutput,
)

_DONE: Final = {"completed": ("done", "✓", "done"), "in_progress": ("now", "▸", "in progress")}


def render_other_part(
    part: Checklist | QuestionList | PlanText | TaskNote | PageFetch | PageSearch,
    output: ToolOutput | None,
) -> str:
    """Show what a tool was given that has nothing to do with files."""
    match part:
        case Checklist():
            return render_todos(part)
        case QuestionList():
            return render_questions(part)
        case PlanText():
            return render_plan(part)
        case TaskNote():
            return render_task(part)
        case PageFetch():
            return render_fetch(part, output)
        case PageSearch():
            return render_search(part, output)


def render_todos(part: Checklist) -> str:
    """Show a list of things to do, each with where it stands."""
    rows = []
    for item in part.items:
        look, sign, said = _DONE.get(item.status, ("open", "○", "to do"))
        title = f' title="{escape_attribute(item.doing)}"' if item.doing else ""
        rows.append(
            f'<li class="{look}"{title}>'
            f'<span role="img" aria-label="{said}">{sign}</span>'
            f'<span dir="auto">{escape_html(item.text)}{_render_todo_note(item)}</span></li>'
        )
    for item in part.removed:
        note = ' <span class="m">removed</span>'
        rows.append(
            '<li class="open"><span role="img" aria-label="removed">−</span>'  # noqa: RUF001 - a true minus sign
            f'<span dir="auto"><s>{escape_html(item.text)}</s>{note}</span></li>'
        )
    return f'<ul class="todo">{"".join(rows)}</ul>'


def _render_todo_note(item: ChecklistItem) -> str:
    """Write a todo's priority and what changed of it, behind it."""
    return f' <span class="m">{escape_html(item.note)}</span>' if item.note else ""


def render_questions(part: QuestionList) -> str:
    """Show what Claude asked, what could be chosen, and what was."""
    return "".join(_render_question(one) for one in part.questions)


def _render_question(question: Question) -> str:
    rows = []
    answer = question.answer
    said = [part.strip() for part in answer.split(",")]
    for option in question.options:
        on = option.label in said or option.label == answer
        sign = (
            '<span class="ok" role="img" aria-label="chosen">✓</span>' if on else "<span>○</span>"
        )
        tail = f' <span class="m">{escape_html(option.about)}</span>' if option.about else ""
        rows.append(
            f'<li class="{"done" if on else "open"}">{sign}'
            f'<span dir="auto">{escape_html(option.label)}{tail}</span></li>'
        )
    listed = f'<ul class="todo">{"".join(rows)}</ul>' if rows else ""
    own = bool(answer) and 'class="done"' not in listed
    typed = f'<p class="m" dir="auto">Answered: {escape_html(answer)}</p>' if own else ""
    return f'<p class="asked" dir="auto">{escape_html(question.text)}</p>{listed}{typed}'


def render_plan(part: PlanText) -> str:
    """Show a plan as it was written."""
    return f'<div class="prose">{render_markdown(part.text)}</div>'


def render_fetch(part: PageFetch, output: ToolOutput | None) -> str:
    """Show which page was asked for and what for, and the answer."""
    head = f'<p class="m">{link_addresses(part.url)}</p>'
    head += f'<p class="asked" dir="auto">{escape_html(part.prompt)}</p>' if part.prompt else ""
    return head + _render_prose(output)


def render_search(part: PageSearch, output: ToolOutput | None) -> str:
    """Show the pages a search found, and what was said of them."""
    rows = [
        f'<li dir="auto">{escape_html(page.title)} '
        f'<span class="m">{link_addresses(page.url)}</span></li>'
        for page in part.pages
    ]
    listed = f'<ol class="pages">{"".join(rows)}</ol>' if rows else ""
    asked = escape_html(part.query)
    return f'<p class="asked" dir="auto">{asked}</p>{listed}{_render_prose(output)}'


def render_task(part: TaskNote) -> str:
    """Show a thing to do that was noted, with what is said about it."""
    return (
        f'<p class="asked" dir="auto">{escape_html(part.subject)}</p>'
        f'<div class="prose">{render_markdown(part.about)}</div>{render_fields(part.beside)}'
    )


def _render_prose(output: ToolOutput | None) -> str:
    # Why a call failed stands below it, as it does under every tool.
    text = output.text if output is not None and not output.is_error else ""
    return f'<div class="prose">{render_markdown(text)}</div>' if text.strip() else ""
