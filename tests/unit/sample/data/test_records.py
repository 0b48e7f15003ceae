import pytest

from bough.sample import SampleFacts, make_record

OLD = SampleFacts(seed="s", session_id="id", version="1.0.51", slug=None)
NEW = SampleFacts(seed="s", session_id="id", version="2.1.325", slug="a-b-c", agent_id="a1")


def test_a_record_of_the_first_clients_has_no_branch_and_no_entry_point() -> None:
    made = make_record("user", OLD, uuid="u", timestamp="t")

    assert not {"gitBranch", "entrypoint", "slug", "agentId"} & made.keys()


def test_a_record_of_a_new_client_says_where_it_comes_from() -> None:
    made = make_record("user", NEW, "p", uuid="u", timestamp="t")

    assert made["parentUuid"] == "p"
    assert made["gitBranch"] == "main"
    assert made["entrypoint"] == "cli"
    assert made["slug"] == "a-b-c"
    assert made["agentId"] == "a1"


@pytest.mark.parametrize("facts", [OLD, NEW])
def test_fields_common_to_all_versions_are_there(facts: SampleFacts) -> None:
    made = make_record("user", facts, uuid="u", timestamp="t")

    common = "parentUuid isSidechain userType cwd sessionId version type uuid timestamp"
    assert set(common.split()) <= made.keys()


def test_type_is_not_the_first_key() -> None:
    assert next(iter(make_record("user", NEW, uuid="u"))) == "parentUuid"


def test_what_is_given_wins_over_what_is_usual() -> None:
    made = make_record("user", NEW, "p", parentUuid="q", version="0", type="other")

    assert (made["parentUuid"], made["version"], made["type"]) == ("q", "0", "other")
