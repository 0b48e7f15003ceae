"""Secrets are hidden in every form of document, and nothing else is touched."""

import html
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

import pytest

from bough.export.document import export_session
from bough.export.document_options import ExportFormat, ExportOptions
from bough.export.secrets.redact import LABEL, Redactor, mask_secret, redact_session
from bough.model.session import Session
from bough.query.sessions.load_session import read_session
from bough.sample import SampleSession as Book
from bough.sample import session
from bough.sample.demo import write_demo
from tests.sampled import mark_rest_whole
from tests.unit.export.planted import AROUND, SHAPED, Maker, Planted, planted, private_key
from tests.unit.model.opened import opened

PLACES: dict[str, Callable[[Book, str], Book]] = {
    "prompt": lambda book, text: book.user(f"Look: {text} "),
    "thinking": lambda book, text: book.thinking(f"They use {text} here."),
    "answer": lambda book, text: book.assistant(f"It is this:\n\n    {text}\n"),
    "code in an answer": lambda book, text: book.assistant(f"```\n{text}\n```"),
    "nested input": lambda book, text: book.tool("mcp__a__b", {"x": [{"y": {"z": text}}]}, "ok"),
    "command": lambda book, text: book.tool("Bash", {"command": f"echo; {text}"}, "ok"),
    "result": lambda book, text: book.tool("Bash", {"command": "env"}, f"A=1\n{text}\nB=2"),
    "failed result": lambda book, text: book.tool("Bash", {"command": "x"}, text, is_error=True),
    "JSON in a result": lambda book, text: book.tool("Bash", {"command": "x"}, _as_json(text)),
    "coloured result": lambda book, text: book.tool(
        "Bash", {"command": "x"}, f"\x1b[32m{text}\x1b[0m"
    ),
    "numbered result": lambda book, text: book.tool(
        "Read",
        {"file_path": "/a/.env"},
        "\n".join(f"{n:6}→{line}" for n, line in enumerate(text.split("\n"), 1)),
    ),
    "written file": lambda book, text: book.tool(
        "Write", {"file_path": "/a/b.txt", "content": f"{text}\n"}, "ok"
    ),
    "edit": lambda book, text: book.tool(
        "Edit", {"file_path": "/a/b.py", "old_string": text, "new_string": "gone"}, "ok"
    ),
    "agent's brief": lambda book, text: book.agent("Explore", "look", prompt=f"Try {text} "),
    "agent's answer": lambda book, text: book.agent("Explore", "look", answer=f"Found {text} "),
    "agent's work": lambda book, text: book.agent(
        "Explore", "look", work=lambda inner: inner.tool("Bash", {"command": "env"}, text)
    ),
    "hook": lambda book, text: book.hook("PostToolUse", "lint.sh", tool="Bash", words=text),
    "queued prompt": lambda book, text: book.queued(f"and {text} "),
    "prompt only queued": lambda book, text: book.queued(f"later {text} ", shown="nowhere"),
    "command's arguments": lambda book, text: book.skill("/deploy", text),
    "skill": lambda book, text: book.skill("/deploy", body=f"Use {text} "),
    "shell turn": lambda book, text: book.shell("env", stdout=text),
    "note": lambda book, text: book.attachment("edited_text_file", {"snippet": text}),
    "notice": lambda book, text: book.notification("b1", "Task done", f"It said {text} "),
    "error": lambda book, text: book.api_error(f"API Error: {text} "),
    "bad line": lambda book, text: book.malformed_line(_as_json(text)[:-1].encode()),
    "kept words of a hook": lambda book, text: book.stop_feedback(text),
    "compaction": lambda book, text: book.compact(f"Summary:\n{text}"),
}


def _as_json(text: str) -> str:
    inner = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'{{"value": "{inner}"}}'


def history(secrets: list[Planted]) -> Session:
    """Plant secrets into every kind of block in turn."""
    builder = session("planted").user("Begin").assistant("Yes.")
    for number, one in enumerate(secrets):
        place = list(PLACES.values())[number % len(PLACES)]
        place(builder, one.text)
        if number % 9 == 0:
            builder.user(f"Go on with {number}").assistant("Yes.")
    return opened(builder.user("The end").assistant("Done."))


def shown(body: bytes, to: ExportFormat) -> str:
    """Give what a document says; of HTML, the text and then the attributes."""
    text = body.decode()
    if to is ExportFormat.HTML:
        return html.unescape(re.sub("<[^>]*>", "", text)) + html.unescape(text)
    return text


@pytest.mark.parametrize("to", list(ExportFormat))
def test_every_planted_secret_is_hidden(to: ExportFormat) -> None:
    secrets = planted(200)

    made = export_session(history(secrets), ExportOptions(to=to, redact=True, all_branches=True))

    words = shown(made.body, to)
    seen = [(one.kind, part) for one in secrets for part in one.secrets if part in words]
    assert seen == []
    assert len({one.kind for one in secrets}) >= 30
    assert len(made.findings) >= 30


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_every_kind_is_hidden_in_every_place(place: str) -> None:
    secrets = planted(len(SHAPED) + len(AROUND) + 5, seed=11)

    for one in secrets:
        builder = PLACES[place](session("one").user("Begin").assistant("Yes."), one.text)
        source = opened(builder.user("The end").assistant("Done."))
        words = export_session(source, ExportOptions(redact=True, all_branches=True)).body.decode()

        assert [part for part in one.secrets if part in words] == [], (one.kind, words)


def test_titles_are_hidden_too() -> None:
    secret = SHAPED["GitHub"](Maker(3))
    source = opened(session().user("hi").assistant("yes").title(f"Rotate {secret}"))

    made = export_session(source, ExportOptions(redact=True))

    assert secret not in made.body.decode() + made.name + made.title
    assert "[hidden: GitHub token 1]" in made.title


def test_the_newest_records_alone_are_told_from_where_the_session_was_started() -> None:
    secret = SHAPED["GitHub"](Maker(4))
    source = opened(session(cwd=f"/home/dev/{secret}").user("Go on").assistant(f"With {secret}."))
    newest = source.keep_newest(1)
    newest.started_in = f"{source.cwd}/before"

    shown, _ = redact_session(newest, secrets=True, emails=False)

    assert shown.cwd == f"{shown.records[0].cwd}/before"
    assert secret not in shown.cwd


def test_the_same_secret_has_the_same_number_everywhere() -> None:
    one, other = SHAPED["GitHub"](Maker(1)), SHAPED["GitHub"](Maker(2))
    builder = session().user(f"Is {one} newer than {other}?").assistant(f"No, {one} is older.")

    text = export_session(opened(builder), ExportOptions(redact=True)).body.decode()

    assert "Is [hidden: GitHub token 1] newer than [hidden: GitHub token 2]?" in text
    assert "No, [hidden: GitHub token 1] is older." in text


def test_a_password_is_hidden_where_it_is_only_mentioned() -> None:
    secret = "hunter" + "2!elephant9"
    builder = (
        session()
        .user(f"I tried {secret} and it failed")
        .tool("Bash", {"command": "cat .env"}, f"DB_PASSWORD={secret}")
    )

    text = export_session(opened(builder), ExportOptions(redact=True)).body.decode()

    assert secret not in text
    assert "I tried [hidden: password 1] and it failed" in text


def test_what_was_hidden_is_listed_by_kind_with_its_beginning_only() -> None:
    secret = SHAPED["GitHub"](Maker(1))
    builder = session().user(f"{secret} and again {secret}").assistant("ok").title("Tokens")

    made = export_session(opened(builder), ExportOptions(redact=True))

    assert [(f.kind, f.count, f.masked) for f in made.findings] == [("GitHub token", 2, ("ghp_…",))]


def test_what_is_hidden_on_a_branch_that_is_not_exported_is_not_listed() -> None:
    secret = SHAPED["GitHub"](Maker(1))
    builder = session().user("hi", name="hi").assistant("yes", name="yes")
    builder.user("left").assistant(f"use {secret}").at("yes").user("Another way").assistant("fine")

    made = export_session(opened(builder), ExportOptions(redact=True, tools=False))

    assert made.findings == ()


@pytest.mark.parametrize(
    ("secret", "told"),
    [("abcdefghijklmnop", "abcd…"), ("abcdef", "ab…"), ("ab", "…")],
)
def test_a_mask_shows_no_more_than_a_third(secret: str, told: str) -> None:
    assert mask_secret(secret) == told


def test_a_private_key_is_masked_by_its_letters_not_its_mark() -> None:
    key = private_key(Maker(1), "RSA ")

    assert mask_secret(key.text) == f"{key.secrets[0][:4]}…"


CLEAN = (
    "3f9c21d0-2fb3-5343-b9c6-27c99392684d",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvQ==",
    "commit 9f1c2d4e5b6a7988796a5b4c3d2e1f0099aabbcc",
    "toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL req_011CSHoEeqs5C35K2UUqR7Fy",
    "const token = await getToken(user);",
    "token: process.env.GITHUB_TOKEN,",
    'password = os.environ["DB_PASSWORD"]',
    "password: ${{ secrets.DB_PASSWORD }}",
    "PASSWORD=changeme",
    'api_key="YOUR_API_KEY_HERE"',
    "postgres://user:password@localhost/db",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "the bearer of this message, the basic principles of authentication",
    "max_tokens=4096 input_tokens: 128000 total tokens: 12.4k",
    "tokenizer: cl100k_base",
    "secretName: orchard-shop-tls",
    "passed: 120, failed: 3",
    "git@github.com:orchard/shop.git",
    "session=3f9c21d0-2fb3-5343-b9c6-27c99392684d",
    "-----BEGIN RSA PRIVATE" + " KEY-----",
    "import { sign } from 'jsonwebtoken'; // see sk-learn, task-runner-with-a-very-long-name",
    "key: value, keys: [a1, b2], monkey=banana12345",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QD==",
    "https://example.com/a/b?page=2&sort=name@asc",
    "class PasswordField(models.CharField): password2 = PasswordField(max_length=128)",
    "npm_config_registry npm_lifecycle_event github_pat_ ghp_ xoxb- AKIA",
    "CI_JOB_TOKEN: $CI_JOB_TOKEN",
)


@pytest.mark.parametrize("text", CLEAN)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    redactor = Redactor()

    assert redactor.words(text) == text


def test_addresses_are_hidden_only_by_choice() -> None:
    text = "Ask ann.lee+shop@example.co.uk, see logo@2x.png and git@github.com:a/b.git"

    assert Redactor().words(text) == text
    hidden = Redactor(secrets=False, emails=True).words(text)
    assert hidden == text.replace("ann.lee+shop@example.co.uk", "[hidden: e-mail address 1]")


def test_hiding_twice_changes_nothing_more() -> None:
    redactor = Redactor()
    texts = [one.text for one in planted(80)]

    once = [redactor.words(text) for text in texts]

    assert [Redactor().words(text) for text in once] == once


def test_the_demo_has_no_secrets(tmp_path: Path) -> None:
    claude = write_demo(tmp_path, datetime(2026, 11, 15, 15, tzinfo=UTC))

    for path in sorted(claude.glob("projects/*/*.jsonl")):
        source = read_session(path)
        clean, _ = redact_session(source, secrets=True, emails=False)

        assert [record.raw for record in clean.records] == [r.raw for r in source.records]


@pytest.mark.slow
@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.whole)])
def test_real_files_are_altered_only_where_a_password_is(shared: Path, every: int) -> None:
    altered: list[str] = []
    for path in sorted((shared / "corpus" / "projects").glob("*/*.jsonl"))[::every]:
        source = read_session(path)
        clean, _ = redact_session(source, secrets=True, emails=False)
        for before, after in zip(source.records, clean.records, strict=True):
            if before is not after:
                altered += [match[1] for match in LABEL.finditer(after.raw.decode())]

    # They were looked at: addresses of the form scheme://user:password@host.
    assert set(altered) <= {"password in a URL"}
    assert len(altered) <= 12


HOSTILE = {
    "letters": "a" * 64,
    "keys without end": "-----BEGIN RSA PRIVATE" + " KEY-----\n",
    "starts of tokens": "eyJ" + "a" * 9 + ".",
    "names": "password=",
    "addresses": "a@a.",
    "logins": "http://a:",
    "backslashes": '\\"token\\":',
    "dashes": "sk-ant-",
    "quotes": '"secret"="',
    "dots": "a.b.c.",
    "spaces": "machine \t ",
    "hex": "0123456789abcdef",
    "starts of web tokens": "eyJ",
    "base64 of marks": "LS0tLS1CRUdJTi",
    "capitals": "EAAA",
    "one letter": "A",
    "lines of keys": "aB3+" * 16 + "\n",
    "ends of keys": "-----END RSA PRIVATE" + " KEY-----\n",
    "commands": "mysql -u a docker login curl -s ",
    "sentences": "password for the password is ",
    "dollars": "$6$a$",
    "unseen": "\u200ba",
    "variables": "A_PASSWORD_",
    "equals signs": "=",
    "names without values": "secret: ",
    "other letters": "\u5bc6\u7801",
}


@pytest.mark.slow
@pytest.mark.parametrize("large", mark_rest_whole([300_000, 1_000_000, 5_000_000], {300_000}))
@pytest.mark.parametrize("words", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_texts_take_linear_time(words: str, large: int) -> None:
    def seconds(size: int) -> float:
        text = (words * (size // len(words) + 1))[:size]
        start = process_time()
        Redactor(emails=True).words(text)
        return process_time() - start

    small = max(seconds(large // 10), large / 10 / 25_000_000)

    assert seconds(large) < 40 * small
