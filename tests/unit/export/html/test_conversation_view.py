"""Tellings: which pieces there are, what each says, and what its folds hold."""

import re
from datetime import timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.errors import NotFound
from bough.export.html.conversation_view import ConversationView
from bough.model.conversation.messages import Message
from bough.sample import SampleCall, SampleSession, session
from bough.sample.data.blocks import document, image, text, tool_result
from tests.sampled import scale_examples
from tests.unit.export.fragments import Reader, pages, read, seen, telling, whole
from tests.unit.model.opened import opened


def kinds(builder: SampleSession) -> list[str]:
    return [piece.kind for piece in telling(builder).pieces]


def folds(fragment: str) -> dict[str, dict[str, str]]:
    """Give the folds of a fragment by their keys."""
    tags = read(fragment).tags
    return {
        given["data-key"]: given
        for tag, given in tags
        if tag == "details" and given.get("data-key")
    }


# -- pieces -------------------------------------------------------------------------------------


def test_a_message_is_one_piece_and_named_by_its_first_record() -> None:
    builder = session().user("Fix it", name="U").thinking("Hm.", name="T").assistant("Done.")

    told = telling(builder)

    assert [(p.kind, p.key) for p in told.pieces] == [
        ("prompt", builder.uuid("U")),
        ("answer", builder.uuid("T")),
    ]


def test_a_long_answer_is_several_pieces_with_one_head_and_one_foot() -> None:
    builder = session().user("Go")
    for number in range(30):
        builder.assistant(f"Word {number}.", name=f"A{number}")

    told = telling(builder)

    assert [p.key for p in told.pieces[1:]] == [
        builder.uuid("A0"),
        f"{builder.uuid('A0')}:1",
        f"{builder.uuid('A0')}:2",
    ]
    html = [told.html(number) for number in (1, 2, 3)]
    assert ['class="who"' in one for one in html] == [True, False, False]
    assert ['class="foot"' in one for one in html] == [False, False, True]
    assert "Word 29." in seen(html[2])


def test_a_run_of_steps_is_never_torn() -> None:
    builder = session().user("Go")
    for number in range(40):
        builder.tool("Read", {"file_path": f"{number}.py"}, "1\tx")

    told = telling(builder)

    assert len(told.pieces) == 2
    assert told.html(1).count('class="steps') == 1


def test_marks_tell_a_map_what_is_where() -> None:
    builder = session().user("Go").tool("Bash", {"command": "x"}, "Exit code 1\nno", is_error=True)
    builder.agent("Explore", "look").assistant("ok").compact().user("On")

    marks = {piece.kind: piece.marks for piece in telling(builder).pieces}

    assert marks["prompt"] == "p"
    assert set(marks["answer"]) == {"a", "e"}
    assert marks["compaction"] == "s"


def test_any_record_leads_to_its_piece() -> None:
    builder = session().user("Go", name="U").assistant("a", name="A")
    builder.tool("Bash", {"command": "x"}, "y", name="T").assistant("b", name="B")

    told = telling(builder)

    assert told.find_piece(builder.uuid("U")) == 0
    assert [told.find_piece(builder.uuid(n)) for n in ("A", "T", "T.result", "B")] == [1] * 4
    assert told.find_piece("nobody") is None


def test_a_record_of_a_long_answer_leads_to_its_own_piece() -> None:
    builder = session().user("Go")
    for number in range(30):
        builder.assistant(f"Word {number}.\n\nMore.", name=f"A{number}")
        builder.tool("Bash", {"command": str(number)}, "x", name=f"T{number}")

    told = telling(builder)

    for number in (0, 10, 29):
        for name in (f"A{number}", f"T{number}", f"T{number}.result"):
            at = told.find_piece(builder.uuid(name))
            assert at is not None
            assert f"Word {number}." in seen(told.html(at)) or name.startswith("T")
    assert told.find_piece(builder.uuid("T29.result")) == len(told.pieces) - 1


# -- prompts ------------------------------------------------------------------------------------


def test_a_prompt_is_shown_exactly_as_typed() -> None:
    words = "a ~tilde~ **not bold**\n\n\tindented   spaces\n# no heading <b>"
    fragment = pages(session().user(words))[0]

    typed = re.search(r'<div class="typed" dir="auto">(.*?)</div>', fragment, re.DOTALL)
    assert typed is not None
    assert seen(typed[1]) == words


def test_a_prompt_beyond_a_screen_shows_its_beginning_and_folds_the_rest() -> None:
    words = "\n".join(f"line {number}" for number in range(200))
    told = telling(session().user(words))

    fragment = told.html(0)

    assert "Show all 200 lines" in seen(fragment)
    assert "line 150" not in seen(fragment)
    assert seen(told.body(f"{told.pieces[0].key}~0/more")).startswith("line 12\n")
    assert "line 199" in seen(told.whole(0))


@settings(max_examples=scale_examples(60))
@given(st.text(max_size=200).filter(lambda t: t.strip() and not t.lstrip().startswith(("<", "["))))
def test_any_prompt_and_any_answer_make_sound_fragments(text: str) -> None:
    builder = session().user(text).assistant(text).tool("Bash", {"command": text}, text)
    told = telling(builder)

    for number in range(len(told.pieces)):
        read(told.html(number))
        read(told.whole(number))


def test_a_file_named_in_a_prompt_is_a_chip() -> None:
    fragment = pages(session().user("See @src/a.py, and mail me@example.com or @alice."))[0]

    chips = [
        given["data-path"] for tag, given in read(fragment).tags if given.get("data-do") == "file"
    ]
    assert chips == ["src/a.py"]


def test_a_command_says_so_and_its_instructions_are_folded() -> None:
    builder = session().skill("/review", "src/import", "# Review\n\n" + "Read it well. " * 100)

    fragments = pages(builder)

    assert kinds(builder)[0] == "command"
    assert "/review src/import" in seen(fragments[0])
    assert "command" in seen(fragments[0])
    assert "Instructions of /review" in seen(fragments[1])
    assert "Read it well" not in seen(fragments[1])


def test_a_shell_turn_shows_its_command_and_output() -> None:
    shown = "".join(pages(session().shell("git status", " M a.py")))

    assert "! git status" in seen(shown)
    assert " M a.py" in seen(shown)


def test_a_queued_prompt_says_when_it_was_queued() -> None:
    builder = session().user("Go").assistant("ok").queued_command("And this")

    assert "queued at" in seen(pages(builder)[-1])


def test_an_interruption_is_one_line() -> None:
    builder = session().user("Go").assistant("I beg").interrupt()

    assert kinds(builder)[-1] == "interrupt"
    assert "Interrupted by you" in seen(pages(builder)[-1])


def test_results_without_calls_beside_a_prompt_are_not_lost() -> None:
    builder = session().user_record([tool_result("toolu_lost", "forgotten words"), text("Go on.")])

    assert "forgotten words" in seen(whole(builder))


def test_notes_in_a_row_are_one_line_that_opens() -> None:
    builder = session().user("Go").attachment("skill_listing").attachment("environment")

    fragment = pages(builder)[0]

    assert "2 notes: skills on offer, environment" in seen(fragment)
    assert "open" not in next(iter(folds(fragment).values()))


def test_pictures_are_named_and_numbered_within_their_record() -> None:
    builder = session().user([text("Look"), image(), text("and"), image()], name="U")

    tags = [given for tag, given in read(pages(builder)[0]).tags if tag == "img"]

    assert [given["data-n"] for given in tags] == ["0", "1"]
    assert all(given["src"].startswith("data:image/png;base64,") for given in tags)


def test_the_address_of_a_picture_can_be_chosen() -> None:
    told = ConversationView(
        opened(session().user([image()])),
        picture_url=lambda _, picture, n: f"/api/x/picture?offset={picture.offset}&n={n}",
    )

    assert 'src="/api/x/picture?offset=0&amp;n=0"' in told.html(0)


def test_a_document_is_named_and_stands_apart_from_what_was_typed() -> None:
    fragment = pages(session().user([document("The whole contract"), text("Read it")]))[0]

    beside = '<div class="doc"><p class="m">Attached</p><div class="typed" dir="auto">The whole'
    assert f"{beside} contract</div></div><div" in fragment
    assert "Read it" in seen(fragment)


# -- answers ------------------------------------------------------------------------------------


def test_thinking_is_one_line_with_its_beginning() -> None:
    builder = session().user("Go").wait(12).thinking("First this. " * 200).assistant("ok")

    told = telling(builder)
    fragment = told.html(1)

    assert "Thought for" in seen(fragment)
    assert "First this." in seen(fragment)
    (key,) = [key for key, given in folds(fragment).items() if "think" in given["class"]]
    assert seen(told.body(key)).count("First this.") == 200


def test_the_beginning_of_a_thought_has_no_marks_of_markdown() -> None:
    thought = "**Root cause:** the `reader` stops.\n\n## Next\n2 * 3 stays"
    shown = pages(session().user("Go").thinking(thought).assistant("ok"))[1]

    assert (
        '<span class="preview" dir="auto">Root cause: the reader stops. Next 2 * 3 stays<' in shown
    )


def test_thinking_without_words_is_counted_at_the_end_of_the_turn() -> None:
    shown = seen(pages(session().user("Go").thinking("").redacted_thinking().assistant("ok"))[1])

    assert shown.count("hought") == 1
    assert "thought 2 times, " in shown


def test_thoughts_and_lines_between_calls_are_rows_of_one_block() -> None:
    builder = session().user("Go")
    for number in range(4):
        builder.thinking(f"Thought {number}.").tool("Bash", {"command": f"run {number}"}, "x")
        builder.assistant(f"Line {number}.")

    told = telling(builder)
    fragment = told.html(1)

    assert fragment.count('<div class="steps') == 1
    assert "Show 2 more steps, 2 thoughts, 3 lines" in seen(fragment)
    assert fragment.index("Line 3.") > fragment.rindex("</details>")
    (key,) = [key for key, given in folds(fragment).items() if "more" in given["class"]]
    hidden = seen(told.body(key))
    assert "Line 0." in hidden
    assert hidden.index("Line 0.") < hidden.index("run 1") < hidden.index("Line 1.")


def test_an_error_is_told_in_words_with_all_that_was_written_in_a_fold() -> None:
    written = 'API Error: 529 {"type":"error","error":{"message":"Overloaded"}}'
    shown = seen(pages(session().user("Go").api_error(written))[-1])

    assert "API Error: 529 Overloaded" in shown
    assert "What the client wrote" in shown
    assert shown.count(written) == 1


def test_an_error_of_the_api_is_named() -> None:
    builder = session().user("Go").api_error()

    assert kinds(builder)[-1] == "error"
    assert "✗" in seen(pages(builder)[-1])


def test_a_line_that_cannot_be_read_shows_where_why_and_what() -> None:
    shown = seen(pages(session().user("Go").malformed_line(b'{"half":'))[-1])

    assert "cannot be read" in shown
    assert "Offset" in shown
    assert '{"half":' in shown


def test_a_kind_of_record_nobody_knows_is_named() -> None:
    builder = session().user("Go").assistant("ok").node("pulse", beat=1).assistant("on")

    assert "A kind of record bough does not know: `pulse`" in seen(pages(builder)[1])


def test_the_foot_says_what_a_turn_took() -> None:
    builder = session().user("Go").tool("Read", {"file_path": "a"}, "1\tx").assistant("ok")

    shown = seen(pages(builder)[1])

    assert "1 step" in shown
    assert "of context" in shown
    assert "$" in shown


def test_the_label_names_who_when_and_how_it_went() -> None:
    builder = session().user("Go").tool("Bash", {"command": "x"}, "Exit code 2\n", is_error=True)
    builder.assistant("Hm.")
    told = ConversationView(opened(builder), zone=timezone(timedelta(hours=2)))

    labels = [Reader(told.html(number)).tags[0][1]["aria-label"] for number in (0, 1)]

    assert labels[0].startswith("You, ")
    assert re.fullmatch(r"Claude, \d\d:\d\d, 1 step, 1 failed", labels[1])


# -- agents, compactions, side branches ---------------------------------------------------


def _with_agent() -> SampleSession:
    return (
        session()
        .user("Go")
        .agent(
            "Explore",
            "find callers",
            answer="Four callers.",
            work=lambda inner: inner.tool("Grep", {"pattern": "Job"}, "a.py"),
        )
        .assistant("Good.")
    )


def test_an_agents_answer_is_readable_and_its_steps_open_in_place() -> None:
    told = telling(_with_agent())
    fragment = told.html(1)

    assert "Explore agent" in seen(fragment)
    assert "Four callers." in seen(fragment)
    (key,) = [key for key in folds(fragment) if key.startswith("agent:")]
    inside = told.body(key)
    assert "Brief" in seen(inside)
    assert "Grep" in seen(inside)
    step = next(k for k, g in folds(inside).items() if "step" in g["class"])
    assert step.startswith(f"{key}/")
    assert "a.py" in seen(told.body(step))


def test_an_agents_own_conversation_can_be_told_alone() -> None:
    opened_session = opened(_with_agent())
    name = opened_session.agents[0].id

    told = ConversationView(opened_session, agent=name)

    assert "Brief" in seen(told.html(0))
    with pytest.raises(NotFound):
        ConversationView(opened_session, agent="nobody")


def test_the_third_level_of_agents_is_a_page() -> None:
    builder = session().user("Go")
    builder.agent(
        "a", "one", work=lambda x: x.agent("b", "two", work=lambda y: y.agent("c", "three"))
    )
    told = telling(builder)

    def inside(fragment: str) -> str:
        (key,) = [key for key, g in folds(fragment).items() if "inside" in g["class"]]
        return told.body(key)

    third = inside(inside(told.html(1)))

    assert "three" in seen(third)
    assert [g for g in folds(third).values() if "inside" in g["class"]] == []
    assert 'data-do="open-agent"' in third


def test_a_seam_says_what_was_kept_and_dropped_and_lists_both() -> None:
    builder = session().user("First", name="U").assistant("ok").compact("Summary: **all**", keep=1)
    builder.user("Second")
    told = telling(builder)
    number = next(n for n, p in enumerate(told.pieces) if p.kind == "compaction")
    key = told.pieces[number].key

    assert "Compacted automatically" in seen(told.html(number))
    assert "168k → 22k tokens" in seen(told.html(number))
    assert "<strong>all</strong>" in told.body(f"{key}~kept")
    assert f'data-go="{builder.uuid("U")}"' in told.body(f"{key}~dropped")
    assert "changed" not in told.body(f"{key}~dropped")


def test_a_compaction_lists_the_files_that_were_changed_since_the_one_before() -> None:
    def edit(path: str) -> dict[str, str]:
        return {"file_path": path, "old_string": "a", "new_string": "b"}

    builder = (
        session().user("First").tool("Edit", edit("/early.py"), "ok").assistant("ok").compact()
    )
    builder.user("Second").tool("Edit", edit("/late<1>.py"), "ok").assistant("ok").compact()
    told = telling(builder.user("Third"))
    keys = [piece.key for piece in told.pieces if piece.kind == "compaction"]

    first, second = (told.body(f"{key}~dropped") for key in keys)

    assert "It changed 1 file in them." in first
    assert "<code>/early.py</code>" in first
    assert "<code>/late&lt;1&gt;.py</code>" in second
    assert "/early.py" not in second


def _rewound() -> SampleSession:
    builder = session().user("Start").assistant("Which?", name="Q")
    builder.user("This way", name="L").assistant("Gone.")
    return builder.at("Q").user("That way", name="R").assistant("Here.")


def test_another_way_is_a_twig_where_it_left() -> None:
    builder = _rewound()
    told = telling(builder)

    assert [p.kind for p in told.pieces] == ["prompt", "answer", "side-branch", "prompt", "answer"]
    tags = [given for _, given in read(told.html(2)).tags if given.get("data-do") == "side-branch"]
    assert [given["data-tip"] for given in tags] == [builder.uuid("L")]
    assert "Gone." not in "".join(told.whole(n) for n in range(5))


def test_a_branch_that_was_left_shows_the_way_back_and_a_grey_stem() -> None:
    builder = _rewound()
    told = ConversationView(opened(builder), builder.uuid("L"))

    side_branch = next(n for n, p in enumerate(told.pieces) if p.kind == "side-branch")

    assert "active" in seen(told.html(side_branch))
    assert 'class="piece answer left"' in told.html(len(told.pieces) - 1)
    assert "left" not in told.html(0).partition(">")[0]


def test_the_outline_has_prompts_seams_and_twigs() -> None:
    builder = _rewound().compact().user("After").assistant("ok")

    rows = telling(builder).outline()

    assert [(row.kind, row.text) for row in rows] == [
        ("prompt", "Start"),
        ("side-branch", "This way"),
        ("prompt", "That way"),
        ("compaction", "Compacted, 168k → 22k tokens"),
        ("prompt", "After"),
    ]
    assert rows[1].about.startswith("1 turn")


# -- folds and finding --------------------------------------------------------------------------


def test_a_fold_nobody_knows_is_not_found() -> None:
    told = telling(session().user("Go").assistant("ok"))

    for key in ("", "x~1", f"{told.pieces[0].key}~99", "agent:nobody", f"{told.pieces[0].key}~0+"):
        with pytest.raises(NotFound):
            told.body(key)


def test_words_are_found_with_the_folds_on_the_way() -> None:
    builder = session().user("needle one")
    for number in range(12):
        builder.tool("Bash", {"command": "x"}, "needle" if number == 5 else "hay")
    builder.thinking("a Needle in thought").assistant("no more")
    told = telling(builder)

    hits = told.find("NEEDLE")

    assert [(hit.number, hit.count) for hit in hits] == [(0, 1), (1, 1), (1, 1)]
    message = told.pieces[1].key
    assert hits[0].opens == ()
    assert hits[1].opens[:2] == (f"{message}~2+", f"{message}~5")
    assert "needle" in seen(told.body(hits[1].opens[1]))
    assert f'data-key="{hits[1].opens[0]}"' in told.html(1)
    assert hits[2].opens == (f"{message}~12",)
    assert told.find(" ") == []


def test_messages_can_be_revised_and_other_words_washed() -> None:
    def revise(message: Message) -> Message:
        return Message(
            message.kind, message.uuid, message.offset, message.timestamp, uuids=message.uuids
        )

    told = ConversationView(opened(_rewound()), revise=revise, redact_text=str.upper)

    assert "Start" not in told.whole(0)
    assert told.outline()[0].text == "START"
    assert "THIS WAY" in told.html(2)


def test_parallel_calls_keep_their_outcomes() -> None:
    builder = (
        session()
        .user("Go")
        .tools(
            SampleCall(tool="Bash", given={"command": "true"}, result="fine"),
            SampleCall(
                tool="Bash", given={"command": "false"}, result="Exit code 1\n", is_error=True
            ),
        )
    )

    shown = seen(pages(builder)[1])

    assert "2 steps" in shown
    assert "✗ 1 failed" in shown
    assert "exit 1" in shown


def test_a_record_inside_a_block_of_steps_names_its_row_and_the_folds_on_the_way() -> None:
    builder = session().user("Run them")
    for number in range(12):
        builder.tool("Bash", {"command": f"run {number}"}, "fine", name=f"call{number}")
    builder.assistant("Done.", name="end")
    view = ConversationView(opened(builder))

    first, hidden = view.find_row(builder.uuid("call0")), view.find_row(builder.uuid("call5"))

    message = view.messages[1]
    assert first is None, "it begins the message"
    assert hidden is not None
    assert hidden.key == f"{message.key}~5"
    assert hidden.opens[:2] == (f"{message.key}~2+", hidden.key)
    result = view.find_row(builder.uuid("call5.result"))
    assert result is not None
    assert result.key == hidden.key
    assert view.find_row("nowhere") is None
