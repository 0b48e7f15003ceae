"""What looks like a secret passes in no answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bough.mcp.answers import Answerer
from bough.mcp.quote_fences import UNSEEN
from bough.sample import SampleSession, session
from tests.mcp.histories import OURS, START, make_answerer, write_history
from tests.mcp.reading import parse
from tests.unit.export.planted import SHAPED, Maker, Planted, planted
from tests.unit.export.planted_words import planted_words

KEY = "needle"
SECRETS = [*planted(60), *planted_words()]
TOLD = "p0mmes-frites-94"
"""A password that one message names as such, and others only mention."""


@pytest.fixture(scope="module", params=[4, pytest.param(1, marks=pytest.mark.whole)])
def planted_secrets(request: pytest.FixtureRequest) -> list[Planted]:
    """Give some of the secrets, or all of them."""
    return SECRETS[:: request.param]


@pytest.fixture(scope="module")
def secretive(
    tmp_path_factory: pytest.TempPathFactory, planted_secrets: list[Planted]
) -> Iterator[Answerer]:
    told = session("secretive", cwd=OURS, start=START)
    for number, one in enumerate(planted_secrets):
        text = f"{KEY}{number} {one.text}"
        told.user(f"Use {KEY} never {text}").assistant(f"Agreed on {KEY}. {text}")
        told.tool("Bash", {"command": text}, f"Error: {KEY} {text}", is_error=True)
        told.thinking(text).assistant("Yes.")
    told.user(f"The setting is DB_PASSWORD={TOLD} here").assistant("Yes.")
    told.user(f"{KEY} I typed {TOLD} by hand").assistant("Yes.")
    token = SHAPED["GitHub token"](Maker(3)) if "GitHub token" in SHAPED else ""
    titled = session("titled", cwd=OURS, start=START)
    titled.user("x " * 80 + token).assistant("Yes.").title(f"title {token}")
    place = tmp_path_factory.mktemp("secretive")
    made = make_answerer(*write_history(place, told, titled))
    yield made
    made.close()


def read_everything(secretive: Answerer) -> Iterator[str]:
    include = ["text", "tools", "results", "thinking"]
    for name in secretive.complete_session(""):
        outline = parse(secretive.read_resource(f"bough://session/{name}").text)
        place = outline["prompts"][0]["place"]
        while place is not None:
            asked = {"place": place, "after": 5, "include": include, "budget": 8000}
            text = secretive.call_tool("read", asked).text
            yield text
            place = parse(text).get("next")


def ask_everything(secretive: Answerer, count: int) -> Iterator[str]:
    for number in range(count):
        asked = {"query": f"{KEY}{number}", "budget": 2000}
        yield secretive.call_tool("search", asked).text
    yield secretive.call_tool("search", {"query": f'"{KEY} I typed"'}).text
    yield secretive.call_tool("sessions", {}).text
    yield secretive.call_tool("decisions", {"about": KEY, "limit": 10, "budget": 2000}).text
    yield secretive.call_tool("before", {"command": f"{KEY}", "limit": 10}).text
    for name in secretive.complete_session(""):
        yield secretive.summarize_session(name).text
        yield secretive.read_resource(f"bough://session/{name}").text


@pytest.mark.slow
def test_no_planted_secret_passes(secretive: Answerer, planted_secrets: list[Planted]) -> None:
    answers = [*ask_everything(secretive, len(planted_secrets)), *read_everything(secretive)]
    everything = UNSEEN.sub("", "\n".join(answers))

    leaked = {part for one in planted_secrets for part in one.secrets if part in everything}
    assert leaked == set()
    assert TOLD not in everything
    assert everything.count("[hidden: ") > len(planted_secrets)


def answer_searches(tmp_path: Path, told: SampleSession, *queries: str) -> str:
    answerer = make_answerer(*write_history(tmp_path, told))
    answers = [answerer.call_tool("search", {"query": query}) for query in queries]
    answerer.close()
    assert not any(answer.is_error for answer in answers)
    return "\n".join(answer.text for answer in answers)


@pytest.mark.parametrize("password", ["p0mmes-frites-94", "frites7!!", "a/b-c\\d9e", "pömmes-94"])
@pytest.mark.parametrize("padding", ["", "much said before " * 400])
def test_a_password_that_another_message_names_is_hidden_where_it_is_mentioned(
    tmp_path: Path, password: str, padding: str
) -> None:
    told = session("secretive", cwd=OURS, start=START)
    told.user(f'{padding} DB_PASSWORD="{password}" {padding}').assistant("Yes.")
    told.user(f"{KEY} I typed {password} by hand").assistant("Yes.")

    text = answer_searches(tmp_path, told, KEY)

    assert "by hand" in text
    assert "[hidden: password 1]" in text


def test_words_that_are_everywhere_do_not_hide_where_a_password_is_named(tmp_path: Path) -> None:
    told = session("secretive", cwd=OURS, start=START)
    told.user(f"The setting is DB_PASSWORD={TOLD} here").assistant("Yes.")
    for number in range(1_100):
        told.user(f"pommes-frites {number}").assistant("Yes.")
    told.user(f"{KEY} I typed {TOLD} for pommes-frites").assistant("Yes.")

    text = answer_searches(tmp_path, told, KEY, KEY)

    assert TOLD not in text
    assert text.count("I typed [hidden: password 1] for pommes-frites") == 2


def test_a_title_hides_a_password_that_its_session_names_also_after_it_was_read(
    tmp_path: Path,
) -> None:
    told = session("secretive", cwd=OURS, start=START)
    told.user(f"The setting is DB_PASSWORD={TOLD} here").assistant("Yes.").title(f"with {TOLD}")
    answerer = make_answerer(*write_history(tmp_path, told))

    name = answerer.complete_session("")[0]
    before = answerer.call_tool("sessions", {}).text
    answerer.call_tool("read", {"place": name})
    after = answerer.call_tool("sessions", {}).text
    answerer.close()

    assert " with [hidden: password 1] " in parse(before)["sessions"][0]["title"]
    assert " with [hidden: password 1] " in parse(after)["sessions"][0]["title"]
