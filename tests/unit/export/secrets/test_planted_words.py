"""Secrets that only the words around them tell are hidden in every form and every place."""

import json
from collections.abc import Callable

import pytest

from bough.export.document import export_session
from bough.export.document_options import ExportFormat, ExportOptions
from bough.export.secrets.redact import Redactor
from bough.model.session import Session
from bough.sample import SampleSession as Book
from bough.sample import session
from tests.sampled import mark_rest_whole
from tests.unit.export.planted import SHAPED, Maker, Planted
from tests.unit.export.planted_words import letters, planted_words, typed
from tests.unit.export.secrets.test_redact import PLACES, shown
from tests.unit.model.opened import opened


def _as_diff(text: str) -> str:
    return "@@ -1 +1 @@\n" + "\n".join(f"+{line}" for line in text.split("\n"))


def _tool(book: Book, given: dict[str, object], result: str = "ok") -> Book:
    return book.tool("mcp__a__b", given, result)


MORE_PLACES: dict[str, Callable[[Book, str], Book]] = {
    **PLACES,
    "key of JSON": lambda book, text: _tool(book, {text: "yes"}),
    "file name": lambda book, text: book.tool("Read", {"file_path": text}, "ok"),
    "list of texts": lambda book, text: _tool(book, {"args": ["-x", text]}),
    "field called base64": lambda book, text: _tool(book, {"base64": text}),
    "bytes that are none": lambda book, text: _tool(book, {"type": "base64", "data": text}),
    "diff": lambda book, text: book.tool("Bash", {"command": "git diff"}, _as_diff(text)),
    "JSON in JSON": lambda book, text: book.tool(
        "Bash",
        {"command": "x"},
        json.dumps({"body": json.dumps({"v": text}, ensure_ascii=False)}, ensure_ascii=False),
    ),
}


def history(secrets: list[Planted]) -> Session:
    """Plant secrets into every place in turn."""
    builder = session("planted words").user("Begin").assistant("Yes.")
    for number, one in enumerate(secrets):
        list(MORE_PLACES.values())[number % len(MORE_PLACES)](builder, one.text)
        if number % 9 == 0:
            builder.user(f"Go on with {number}").assistant("Yes.")
    return opened(builder.user("The end").assistant("Done."))


FORMS = {to.value: ExportOptions(to=to, redact=True, all_branches=True) for to in ExportFormat}
FORMS["for-llm"] = ExportOptions(redact=True, for_llm=True, budget=4_000_000)


@pytest.mark.parametrize("form", FORMS)
def test_none_of_them_is_left_in_a_document(form: str) -> None:
    secrets = planted_words()

    made = export_session(history(secrets), FORMS[form])

    words = shown(made.body, FORMS[form].to)
    seen = [(one.kind, part) for one in secrets for part in one.secrets if part in words]
    assert seen == []
    assert len(secrets) >= 200


@pytest.mark.parametrize("one", planted_words(seed=6), ids=lambda one: one.kind)
def test_each_is_hidden_wherever_it_stands(one: Planted) -> None:
    numbered = "\n".join(f"{n:6}→{line}" for n, line in enumerate(one.text.split("\n"), 70))
    quoted = json.dumps({"v": one.text}, ensure_ascii=False)
    again = json.dumps(quoted, ensure_ascii=False)
    texts = (one.text, f"Look:\n{one.text}\nyes", numbered, quoted, again)

    for text in texts:
        hidden = Redactor().words(text)

        assert [part for part in one.secrets if part in hidden] == [], hidden


@pytest.mark.parametrize(
    "place", mark_rest_whole(MORE_PLACES, ("command", "coloured result", "diff"))
)
def test_every_kind_is_hidden_in_every_place(place: str) -> None:
    secrets = planted_words(seed=7)
    builder = session("one place").user("Begin").assistant("Yes.")
    for one in secrets:
        MORE_PLACES[place](builder, one.text)
        builder.user("Go on").assistant("Yes.")

    made = export_session(opened(builder), FORMS["json"])

    words = made.body.decode()
    assert [one.kind for one in secrets if any(part in words for part in one.secrets)] == []


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "secret",
        "client_secret",
        "dbPassword",
        "user_pw",
        "kennwort",
        "senha",
        "密码",
        "пароль",
        "password_confirmation",
    ],
)
def test_what_a_field_called_password_holds_goes_whatever_it_looks_like(name: str) -> None:
    for secret in (letters(Maker(1)), typed(Maker(2)), "velvet copper meadow signal", "1234-5678"):
        builder = session().user("go").tool("mcp__a__b", {"login": {name: secret}}, "ok")

        text = export_session(opened(builder), ExportOptions(redact=True)).body.decode()

        assert secret not in text


@pytest.mark.parametrize("name", ["name", "key"])
def test_a_value_goes_by_the_name_that_stands_beside_it(name: str) -> None:
    secret = letters(Maker(3))
    given = {"env": [{"value": secret, name: "DB_PASSWORD"}, {name: "COLOUR", "value": "emerald"}]}
    builder = session().user("go").tool("mcp__a__b", given, "ok")

    text = export_session(opened(builder), ExportOptions(redact=True)).body.decode()

    assert secret not in text
    assert "emerald" in text


def test_a_column_of_passwords_is_hidden_row_by_row_and_nothing_beside_it() -> None:
    rows = "\n".join(f"dev{n},{typed(Maker(n))},room{n}!1" for n in range(20))

    hidden = Redactor().words(f"name,password,place\n{rows}\n\nname,place\na1!,b2!")

    assert not any(typed(Maker(n)) in hidden for n in range(20))
    assert all(f"room{n}!1" in hidden for n in range(20))
    assert hidden.endswith("a1!,b2!")


PLACEHOLDERS = (
    "<password>", "${DB_PASSWORD}", "$DB_PASSWORD", "***", "••••••", "os.environ['DB_PASSWORD']",
    "process.env.DB_PASSWORD", "string", "null", "{{ password }}", "%s", "changeme",
    "your-password-here", "Password is required", "xxxxxxxx", "getpass()", "", "op://vault/db/pw",
)  # fmt: skip


@pytest.mark.parametrize("stand_in", PLACEHOLDERS)
def test_what_only_stands_for_a_password_stays(stand_in: str) -> None:
    for text in (f'{{"password": "{stand_in}"}}', f"DB_PASSWORD={stand_in}"):
        assert Redactor().words(text) == text


def test_bytes_of_a_picture_are_not_searched() -> None:
    body = "iVBORw0KGgo" + SHAPED["AWS access key"](Maker(1)) + "/" * 40
    source = {"type": "base64", "media_type": "image/png", "data": body}
    builder = session().user("go").tool("mcp__a__b", {"source": source}, "ok")

    made = export_session(opened(builder), ExportOptions(to=ExportFormat.JSON, redact=True))

    assert body in made.body.decode()
    assert made.findings == ()


def test_a_certificate_is_no_key_neither_whole_nor_in_base64() -> None:
    make = Maker(9)
    lines = "\n".join(make.some("ABCDEFGHabcdefgh0123456789+/", 64) for _ in range(5))
    text = f"-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----"

    assert Redactor().words(text) == text
