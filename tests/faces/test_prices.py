"""A price of one's own holds wherever a cost stands, in every face."""

from pathlib import Path

import pytest

from bough.sample import session
from tests.web.serving import Served
from tests.web_api.test_routes import cli

pytestmark = pytest.mark.slow


def test_own_prices_hold_in_lists_heads_trees_and_reports(
    tmp_path: Path, nobodys_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    made = session(model="claude-lab-9").user("look").agent("Explore", "look").assistant("seen")
    claude = tmp_path / "claude"
    made.write(claude)
    with Served(claude, tmp_path) as served:
        path = f"/api/sessions/{served.get('/api/sessions')['rows'][0]['id']}"
        before = served.get(path)
        rates = {"input": 1_000.0, "output": 1_000.0, "cache_read": 500.0}
        served.post("/api/settings", {"name": "prices", "value": {"claude-lab-9": rates}})

        listed = cli(served, "sessions")[0]["cost_usd"]
        served.until(lambda: served.get("/api/sessions")["rows"][0]["cost_usd"] == listed)
        head, tree = served.get(path), served.get(f"{path}/tree")
        printed = [
            cli(served, "tree", "latest")["tips"][0]["cost_usd"],
            cli(served, "usage", "session")["totals"]["cost_usd"],
            cli(served, "usage", "--explain", "latest")["totals"]["cost_usd"],
        ]

    assert before["cost_path"]["unpriced_models"] == ["claude-lab-9"]
    assert listed > 0
    assert [head["row"]["cost_usd"], head["cost_path"]["cost_usd"]] == [listed, listed]
    assert [tree["cost_usd"], *printed] == [listed] * 4
