"""A session that another machine sent is continued by the client here."""

from pathlib import Path

import pytest

from bough import library
from bough.query.sessions.load_session import read_session
from tests.client.conftest import Verdict
from tests.client.laboratory import NEXT, Client, told
from tests.team_server import TeamServer
from tests.unit.export.planted import SHAPED, Maker
from tests.unit.team.histories import machine, push

pytestmark = [pytest.mark.client, pytest.mark.writes_home]

TOKEN = SHAPED["GitHub"](Maker(5))
TURNS = ("turn1 hello", "turn2 USE_BASH", f"turn3 with {TOKEN} bye")


def test_a_pulled_session_is_resumed_with_everything_but_secrets(
    client: Client, team_server: TeamServer, tmp_path: Path, verdict: Verdict
) -> None:
    conversation = client.talk(*TURNS)
    work = tmp_path / "other" / "work"
    work.mkdir(parents=True)
    with team_server.database() as url, Client(client.version, "pulled") as here:
        with machine(tmp_path / "there"):
            assert push(url, Path(client.lab.cfg)).secrets > 0
        with machine(tmp_path / "here"):
            claude = Path(here.lab.cfg)
            plan = library.pull(conversation.stem[:8], work, store=url, claude_dir=claude)
            library.apply(plan)
        said = here.resume(conversation.stem, cwd=work)

    hidden = "*" * len(TOKEN)
    everything = [
        tuple(word.replace(TOKEN, hidden) for word in words)
        for words in told(read_session(conversation))
    ]
    assert any(hidden in word for words in everything for word in words)
    assert said == [*everything, ("text", "user", NEXT)]
    verdict("pull, resumed on another machine", "exact, secrets hidden")
