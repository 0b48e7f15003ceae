from bough.sample import session


def test_the_oldest_compaction_is_a_root_without_a_link() -> None:
    book = session(version="1.0.51").user("hi").assistant("hello").compact(name="C")

    record = book.record_of("C")
    assert record["parentUuid"] is None
    assert record["isCompactSummary"] is True
    assert len(book.records()) == 3


def test_a_boundary_names_the_record_before_it_and_the_summary_hangs_on_it() -> None:
    book = session(version="1.0.128").user("hi").assistant("hello", name="A").compact(name="C")

    boundary, summary = book.records()[2:]
    assert boundary["parentUuid"] is None
    assert boundary["logicalParentUuid"] == book.uuid("A")
    assert summary["parentUuid"] == boundary["uuid"] == book.uuid("C.boundary")
    assert summary["uuid"] == book.uuid("C")


def test_kept_messages_are_named_and_anchored_at_the_summary() -> None:
    book = session().user("a", name="A").assistant("b", name="B").user("c", name="C")

    book.compact(keep=2, name="S", preTokens=90)

    metadata = book.record_of("S.boundary")["compactMetadata"]
    assert isinstance(metadata, dict)
    assert metadata["preTokens"] == 90
    assert metadata["preservedMessages"]["uuids"] == [book.uuid("B"), book.uuid("C")]
    assert metadata["preservedSegment"] == {
        "headUuid": book.uuid("B"),
        "anchorUuid": book.uuid("S"),
        "tailUuid": book.uuid("C"),
    }


def test_kept_messages_may_be_chosen_by_name() -> None:
    book = session().user("a", name="A").assistant("b", name="B").compact(keep=["A"], name="S")

    metadata = book.record_of("S.boundary")["compactMetadata"]
    assert isinstance(metadata, dict)
    assert metadata["preservedMessages"]["allUuids"] == [book.uuid("A")]


def test_a_conversation_goes_on_under_the_summary() -> None:
    book = session().user("a").compact(name="S").user("b", name="B")

    assert book.record_of("B")["parentUuid"] == book.uuid("S")


def test_a_small_compaction_keeps_the_chain() -> None:
    book = session(version="2.1.17").user("a", name="A").microcompact("toolu_1", name="M")

    record = book.record_of("M")
    assert record["parentUuid"] == book.uuid("A")
    assert record["subtype"] == "microcompact_boundary"
