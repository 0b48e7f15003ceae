"""The file with slides: it stands alone, runs no script but ours, and says what was hidden."""

import base64
import hashlib
import re

import pytest

from bough.errors import NotFound
from bough.export.document import Export, export_session
from bough.export.document_options import ExportFormat, ExportOptions
from bough.export.html.conversation_view import ConversationView
from bough.export.html.images import PictureBudget
from bough.export.html.presentation import Presentation, build_presentation
from bough.export.html.presentation_file import PresentationHeader, render_file
from bough.model.tools.calls import Picture
from bough.sample import SampleSession, session
from bough.sample.data.blocks import image
from tests.unit.export.fragments import Reader
from tests.unit.model.opened import opened

# Made up; split, so that no scanner takes it for one that was lost.
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 300


def told() -> SampleSession:
    builder = session().user(f"Use {TOKEN}").thinking("Better not.")
    builder.tool("Bash", {"command": f"push {TOKEN}"}, "pushed")
    return builder.assistant("Done. <script>alert(1)</script>").title("The release")


def file_of(builder: SampleSession, *, redact: bool = True) -> Export:
    return export_session(opened(builder), ExportOptions(to=ExportFormat.PRESENT, redact=redact))


def test_only_our_script_is_in_it_and_the_policy_names_it_by_its_hash() -> None:
    text = file_of(told()).body.decode()

    scripts = re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert len(scripts) == 1
    assert policy is not None
    assert policy[1] == (
        f"default-src 'none'; script-src 'sha256-{digest}'; "
        "style-src 'unsafe-inline'; img-src data:"
    )
    assert text.index(policy[0]) < text.index("<style>")
    tags = {name for name, _ in Reader(text).tags}
    assert not tags & {"link", "iframe", "object", "embed", "form", "base", "button"}


def test_what_was_hidden_is_listed_on_the_first_page() -> None:
    made = file_of(told())

    text = made.body.decode()
    cover = text[text.index('data-kind="cover"') : text.index('data-kind="prompt"')]
    assert TOKEN not in text
    assert "<li>GitHub token: <code>ghp_…</code> (3 places)</li>" in cover
    assert "<h1>The release</h1>" in cover
    assert [(one.kind, one.count) for one in made.findings] == [("GitHub token", 3)]
    assert made.name.endswith(".present.html")


def test_a_file_that_hides_nothing_says_so() -> None:
    text = file_of(told(), redact=False).body.decode()

    assert TOKEN in text
    assert 'data-redacted="no"' in text
    assert "Nothing was hidden." in text


def test_the_slides_are_those_of_the_page_with_every_body_inside() -> None:
    built = opened(told())
    presentation = build_presentation(built, None, redact=True)

    text = export_session(built, ExportOptions(to=ExportFormat.PRESENT)).body.decode()

    kinds = re.findall(r'<div class="present-slide" data-kind="(\w+)" data-turn="(\d+)"', text)
    page = [(slide.kind, str(slide.turn + 1)) for slide in presentation.slides]
    assert kinds == [("cover", "0"), *page]
    assert "data-body=" not in text.partition("present-source")[2].partition("<script")[0]


def test_what_is_folded_on_the_page_is_asked_for_by_its_key() -> None:
    builder = session().user("Go")
    for number in range(9):
        builder.tool("Bash", {"command": f"run {number}"}, "line\n" * 40)
        if number == 0:
            builder.thinking("Hm.")
    presentation = build_presentation(opened(builder.assistant("Done.")), None, redact=True)

    html = "".join(presentation.html(number) for number in range(len(presentation.slides)))
    keys = re.findall(r'data-body="([^"]+)"', html)

    assert any(key.endswith("+") for key in keys)
    assert "run 4" not in html
    assert "run 4" in next(presentation.body(key) for key in keys if key.endswith("+"))
    assert all(presentation.body(key) for key in keys)
    with pytest.raises(NotFound):
        presentation.body("nowhere~0")


def test_no_button_of_a_slide_shows_what_was_hidden() -> None:
    presentation = build_presentation(opened(told()), None, redact=True)

    shown = [presentation.html(number) for number in range(len(presentation.slides))]

    assert "<button" not in "".join(shown)
    assert TOKEN not in "".join(shown)


def test_pictures_are_inside_until_they_are_too_many() -> None:
    builder = session().user([image(PNG), {"type": "text", "text": "Look"}]).assistant("A cat.")
    text = file_of(builder).body.decode()
    assert text.count('src="data:image/png;base64,') == 1
    assert "left out" not in text

    built = opened(builder)
    record = next(record for record in built.records if b"iVBOR" in record.raw)
    budget = PictureBudget(500)
    picture = Picture("image/png", len(PNG), record.offset)

    assert [bool(budget(built, picture, 0)) for _ in range(2)] == [True, False]
    assert budget.left_out == 1


def test_a_picture_that_is_left_out_is_named() -> None:
    builder = session().user([image(PNG), {"type": "text", "text": "Look"}]).assistant("A cat.")
    budget = PictureBudget(100)
    slides = [Presentation(ConversationView(opened(builder), picture_url=budget)).whole(0)]
    header = PresentationHeader("Cats", (), is_redacted=True, pictures_left_out=budget.left_out)

    text = "".join(render_file(header, slides))

    assert re.search(r"Image, PNG, 30\d B, left out of this file", text)
    assert "<p>1 picture left out: all pictures together take 20 MB at most.</p>" in text
    assert 'src="data:' not in text
