from bough.sample import session


def test_the_oldest_compaction_is_a_root_without_a_link() -> None:
    builder = session(version="1.0.51").user("hi").assistant("hello").compact(name="C")

    record = builder.record_of("C")
    assert record["parentUuid"] is None
    assert record["isCompactSummary"] is True
    assert len(builder.records()) == 3


def test_a_boundary_names_the_record_before_it_and_the_summary_hangs_on_it() -> None:
    builder = session(version="1.0.128").user("hi").assistant("hello", name="A").compact(name="C")

    boundary, summary = builder.records()[2:]
    assert boundary["parentUuid"] is None
    assert boundary["logicalParentUuid"] == builder.uuid("A")
    assert summary["parentUuid"] == boundary["uuid"] == builder.uuid("C.boundary")
    assert summary["uuid"] == builder.uuid("C")


def test_kept_messages_are_named_and_anchored_at_the_summary() -> None:
    builder = session().user("a", name="A").assistant("b", name="B").user("c", name="C")

    builder.compact(keep=2, name="S", preTokens=90)

    metadata = builder.record_of("S.boundary")["compactMetadata"]
    assert isinstance(metadata, dict)
    assert metadata["preTokens"] == 90
    assert metadata["preservedMessages"]["uuids"] == [builder.uuid("B"), builder.uuid("C")]
    assert metadata["preservedSegment"] == {
        "headUuid": builder.uuid("B"),
        "anchorUuid": builder.uuid("S"),
        "tailUuid": builder.uuid("C"),
    }


def test_kept_messages_may_be_chosen_by_name() -> None:
    builder = session().user("a", name="A").assistant("b", name="B").compact(keep=["A"], name="S")

    metadata = builder.record_of("S.boundary")["compactMetadata"]
    assert isinstance(metadata, dict)
    assert metadata["preservedMessages"]["allUuids"] == [builder.uuid("A")]


def test_a_conversation_goes_on_under_the_summary() -> None:
    builder = session().user("a").compact(name="S").user("b", name="B")

    assert builder.record_of("B")["parentUuid"] == builder.uuid("S")


def test_a_small_compaction_keeps_the_chain() -> None:
    builder = session(version="2.1.17").user("a", name="A").microcompact("toolu_1", name="M")

    record = builder.record_of("M")
    assert record["parentUuid"] == builder.uuid("A")
    assert record["subtype"] == "microcompact_boundary"
