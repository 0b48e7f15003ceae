"""What looks like a secret passes in no answer."""

from collections.abc import Iterator

import pytest

from bough.mcp.answers import Answerer
from bough.mcp.quote_fences import UNSEEN
from bough.sample import session
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
        place = outline["turns"][0]["place"]
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
