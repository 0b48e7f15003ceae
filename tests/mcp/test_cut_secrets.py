"""A secret that another message names is hidden in quotes that were cut in the middle of it."""

from collections.abc import Iterator

import pytest

from bough.mcp.answers import Answerer
from bough.sample import session
from tests.mcp.histories import OURS, START, make_answerer, write_history

SESSION = "k3JdP0sT9qLm2"
SECRETS = {
    "orchard4711!q": 'DB_PASSWORD="{}"',
    "correct-horse-battery-staple": 'password: "{}"',
    f"theme=dark; lang=en; sid={SESSION}; seen=2026-11-01; cart=77b1": "Cookie: {}",
    "a1" + "Zk9Q" * 60: "api_key = '{}'",
}
DISTANCES = range(60, 150, 4)
FAR = "much was said before " * 1_000


@pytest.fixture(scope="module", params=SECRETS, ids=["typed", "phrase", "cookie", "long"])
def mentioned(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Answerer]]:
    secret: str = request.param
    told = session("cut", cwd=OURS, start=START)
    told.user(f"{FAR}{SECRETS[secret].format(secret)}\n{FAR}").assistant("Yes.")
    filler = "some plain words stand here and there between them both "
    for distance in DISTANCES:
        between = (filler * 4)[:distance].rsplit(" ", 1)[0]
        told.user(f"{filler * 3}ahead{distance} {between} {secret} {filler * 3}").assistant("Yes.")
        told.user(f"{filler * 3}{secret} {between} behind{distance} {filler * 3}").assistant("Yes.")
    made = make_answerer(*write_history(tmp_path_factory.mktemp("cut"), told))
    yield secret, made
    made.close()


def test_no_part_of_it_passes_wherever_the_window_cuts(mentioned: tuple[str, Answerer]) -> None:
    secret, answerer = mentioned
    core = secret if SESSION not in secret else SESSION
    parts = {core[at : at + 8] for at in range(len(core) - 7)}

    for distance in DISTANCES:
        for key in (f"ahead{distance}", f"behind{distance}"):
            answer = answerer.call_tool("search", {"query": key})

            assert key in answer.text
            leaked = {part for part in parts if part in answer.text and not part.isalpha()}
            assert leaked == set(), answer.text
