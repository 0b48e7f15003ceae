"""Conversation: opens at its end, folds and unfolds, is found in and copied from."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.web.conftest import Opened
from tests.web.screens import longest_line, marked, settled, story, until
from tests.web.serving import Served
from tests.web.storyreading import TOP_OF, at, reading

Keep = Callable[..., None]
_HIT_IS_SEEN = """() => {
    const [range] = CSS.highlights.get('hit-now') ?? []
    if (!range) return false
    const words = range.getBoundingClientRect()
    for (let e = range.startContainer.parentElement; !e.matches('.slot'); e = e.parentElement) {
        const box = e.getBoundingClientRect()
        const cuts = getComputedStyle(e).overflowX !== 'visible'
        if (cuts && (words.left < box.left || words.right > box.right)) return false
    }
    return words.width > 0
}"""


def test_it_opens_at_the_end_with_title_cost_and_state(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = reading(opened, served)

    expect(page.get_by_role("heading", level=1)).to_have_text("Make the CSV import resumable")
    expect(page.get_by_text("Run the whole suite and fix what breaks").last).to_be_in_viewport()
    expect(page).to_have_title(re.compile("Make the CSV import resumable"))
    picture(page, "conversation-end")


@pytest.mark.whole
def test_home_and_end_are_exact(opened: Opened, served: Served) -> None:
    page = reading(opened, served)

    page.keyboard.press("Home")
    expect(page.locator("article.prompt.first")).to_be_in_viewport()
    expect(page.get_by_text("$5.22").first).to_be_visible()
    page.keyboard.press("End")

    expect(page.get_by_text("Run the whole suite and fix what breaks").last).to_be_in_viewport()


@pytest.mark.whole
def test_the_first_screen_of_the_story(opened: Opened, served: Served, picture: Keep) -> None:
    page = reading(opened, served, at(served, "Now wire it to the command line"))

    expect(page.locator("section.side-branch").first).to_be_visible()
    picture(page, "conversation", docs=True)


@pytest.mark.whole
def test_prose_stays_under_a_hundred_characters_a_line(opened: Opened, served: Served) -> None:
    page = reading(opened, served)

    characters, line = longest_line(page)

    assert 40 < characters < 100, line


def test_a_small_text_size_has_no_more_characters_on_a_line(opened: Opened, served: Served) -> None:
    page = reading(opened, served)
    page.evaluate("document.documentElement.style.setProperty('--read-size', '13px')")
    words = "The nightly import dies half way through the orders, and begins again. " * 9

    page.locator(".typed").last.evaluate("(typed, words) => { typed.textContent = words }", words)

    characters, line = longest_line(page)
    assert 60 < characters < 100, line


def test_a_fold_opens_in_place_and_shows_a_line_diff(opened: Opened, served: Served) -> None:
    page = reading(opened, served, at(served, "Keep a checkpoint file next to the CSV"))
    answer = page.locator("article.answer", has_text="I start with the checkpoint itself")
    reader = answer.locator("details.step", has_text="src/import/reader.py")
    step = reader.filter(has_text="Edit").first
    expect(step).to_contain_text("+2")
    expect(step).to_contain_text("\N{MINUS SIGN}1")
    expect(step).to_contain_text("2.0 s")

    step.locator("summary").click()

    diff = step.get_by_role("group", name="Change to")
    expect(diff.locator(".r.d").first).to_contain_text("yield Order.from_row(row)")
    expect(diff.locator(".r.a mark").first).to_have_text(", offset")


def test_a_failed_shell_step_says_so_folded_and_shows_its_output_open(
    opened: Opened, served: Served
) -> None:
    page = reading(opened, served, at(served, "Keep a checkpoint file next to the CSV"))

    answer = page.locator("article.answer", has_text="I start with the checkpoint itself")
    step = answer.locator("details.step", has_text="exit 1").first
    expect(step).to_contain_text("6.2 s")
    if step.get_attribute("open") is None:
        step.locator("summary").click()

    expect(step.locator(".body")).to_contain_text("1 failed, 25 passed")


@pytest.mark.whole
def test_opening_a_fold_does_not_move_what_stands_above_it(opened: Opened, served: Served) -> None:
    page = reading(opened, served, at(served, "Keep a checkpoint file next to the CSV"))
    above = page.locator("article.prompt").filter(has_text="Keep a checkpoint file").first
    before = above.evaluate(TOP_OF)

    answer = page.locator("article.answer").filter(has_text="I start with the checkpoint itself")
    step = answer.locator("details.step").filter(has_text="src/import/checkpoint.py").first
    step.locator("summary").click()
    expect(step.locator(".diff")).to_be_visible()
    settled(page)

    assert abs(above.evaluate(TOP_OF) - before) <= 2


@pytest.mark.whole
def test_thinking_is_folded_with_a_preview(opened: Opened, served: Served) -> None:
    page = reading(opened, served, at(served, "Use the existing flags"))

    thought = page.locator("details.think", has_text="The checkpoint has to be written")
    expect(thought.locator("summary")).to_contain_text("12 s")
    expect(thought.locator("summary")).to_contain_text("The checkpoint has to be written")
    thought.locator("summary").click()

    expect(thought).to_contain_text("because its signature changes")


def test_while_a_large_session_is_read_the_outline_says_so_and_counts_nothing(
    opened: Opened, served: Served
) -> None:
    def give_the_end_alone(route: Route) -> None:
        if "whole" in route.request.url:
            return  # it is being read
        route.fulfill(json=route.fetch().json() | {"partial": True})

    page = opened(served, "/", kept=False)
    page.route(re.compile(r"/api/.*/conversation\?"), give_the_end_alone)

    page.goto(f"{served.address}/s/{story(served)}?at=d07e")

    expect(page.get_by_text("Reading the rest of the session…")).to_be_visible()
    expect(page.get_by_role("tab", name="Prompts")).to_have_text("Prompts")


def test_what_was_told_of_the_end_alone_is_told_anew_of_the_whole(
    opened: Opened, served: Served
) -> None:
    def tell_otherwise_of_the_end(route: Route) -> None:
        answer = route.fetch().json()
        if "whole" in route.request.url:
            expect(page.get_by_text("Run a part of it").first).to_be_visible()
        else:
            for piece in answer["page"]["pieces"]:
                piece["html"] = piece["html"].replace("Run the whole suite", "Run a part of it")
            answer["partial"] = True
        route.fulfill(json=answer)

    page = opened(served, "/", kept=False)
    page.route(re.compile(r"/api/.*/conversation\?"), tell_otherwise_of_the_end)
    page.goto(f"{served.address}/s/{story(served)}?at=d07e")

    expect(page.locator("article.prompt", has_text="Run the whole suite")).to_be_visible()
    expect(page.get_by_text("Run a part of it")).to_have_count(0)


def test_the_outline_leads_to_every_prompt(opened: Opened, served: Served) -> None:
    page = reading(opened, served)
    outline = page.locator(".outline-list")
    expect(outline.get_by_role("listitem").filter(has_text="Compacted")).to_be_visible()

    outline.get_by_role("link").filter(has_text="Where do we lose the cursor").click()

    wanted = page.locator("article.prompt").filter(has_text="Where do we lose the cursor")
    expect(wanted).to_be_in_viewport()
    expect(outline.locator("[aria-current]")).to_contain_text("Where do we lose the cursor")


def test_find_counts_marks_and_walks(opened: Opened, served: Served, picture: Keep) -> None:
    page = reading(opened, served)
    told = served.get(f"/api/sessions/{story(served)}/find?q=checkpoint&scope=branch")

    page.keyboard.press("/")
    page.keyboard.type("checkpoint")
    bar = page.get_by_role("search", name="Find in this conversation")
    expect(bar.get_by_role("status")).to_have_text(re.compile(rf"^\d+ of {told['total']}$"))
    before = bar.get_by_role("status").inner_text()
    page.keyboard.press("Enter")

    expect(bar.get_by_role("status")).not_to_have_text(before)
    picture(page, "find")
    page.keyboard.press("Escape")
    expect(bar).to_have_count(0)


def test_find_scrolls_a_long_line_to_the_words(opened: Opened, served: Served) -> None:
    page = reading(opened, served)
    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("Home")
    page.keyboard.press("/")
    page.keyboard.type("tests/import/test_job.py")
    bar = page.get_by_role("search", name="Find in this conversation")
    expect(bar.get_by_role("status")).to_contain_text("1 of")

    until(page, lambda: page.evaluate(_HIT_IS_SEEN))


@pytest.mark.whole
def test_find_in_all_branches_finds_more(opened: Opened, served: Served) -> None:
    page = reading(opened, served)
    page.keyboard.press("/")
    page.keyboard.type("lock")
    status = page.get_by_role("search", name="Find in this conversation").get_by_role("status")
    # On the way to the word there are letters that are found more often.
    find = f"/api/sessions/{story(served)}/find?q=lock&scope="
    here, everywhere = (served.get(f"{find}{scope}")["total"] for scope in ("branch", "all"))
    expect(status).to_have_text(re.compile(rf"^\d+ of {here}$"))

    page.get_by_role("radio", name="All branches").check(force=True)

    expect(status).to_have_text(re.compile(rf"^\d+ of {everywhere}$"))
    assert everywhere > here


def test_the_raw_record_of_a_message_is_its_line(opened: Opened, served: Served) -> None:
    page = reading(opened, served, at(served, "Keep a checkpoint file next to the CSV"))

    page.keyboard.press("r")

    dialog = page.get_by_role("dialog", name="Raw record")
    expect(dialog).to_contain_text("parentUuid")
    expect(dialog).to_contain_text("Keep a checkpoint file next to the CSV")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("y r", "claude --resume 3f9c21d0"),
        pytest.param("y i", "3f9c21d0", marks=pytest.mark.whole),
        pytest.param("y l", "/s/3f9c21d0", marks=pytest.mark.whole),
        pytest.param("y p", "3f9c21d0", marks=pytest.mark.whole),
        ("y m", "Keep a checkpoint file next to the CSV"),
    ],
)
def test_keys_copy_what_they_name(opened: Opened, served: Served, keys: str, expected: str) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    page = reading(
        opened, served, at(served, "Keep a checkpoint file next to the CSV"), permissions=allowed
    )

    for key in keys.split():
        page.keyboard.press(key)

    expect(page.get_by_text("copied", exact=False).first).to_be_visible()
    assert expected in page.evaluate("() => navigator.clipboard.readText()")


def _held(_: Route) -> None:
    """Hold a request back until nobody asks for it any more."""


@pytest.mark.whole
def test_a_key_pressed_before_the_facts_are_here_waits_for_them(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/", permissions=["clipboard-read", "clipboard-write"])
    page.route(re.compile(rf"/api/sessions/{story(served)}(\?|$)"), _held)
    page.goto(f"{served.address}/s/{story(served)}")
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()

    page.keyboard.press("y")
    page.keyboard.press("p")
    expect(page.get_by_text("copied")).to_have_count(0)
    page.unroute_all()

    expect(page.get_by_text("Path copied")).to_be_visible()


def test_a_permalink_opens_at_its_message_and_survives_a_reload(
    opened: Opened, served: Served
) -> None:
    page = reading(opened, served, at(served, "Where do we lose the cursor"))
    wanted = page.locator("article.prompt").filter(has_text="Where do we lose the cursor")
    expect(wanted).to_be_in_viewport()
    before = wanted.evaluate(TOP_OF)

    page.reload()

    expect(wanted).to_be_in_viewport()
    settled(page)
    assert abs(wanted.evaluate(TOP_OF) - before) <= 2


@pytest.mark.whole
def test_a_file_that_is_mentioned_lists_what_touched_it(opened: Opened, served: Served) -> None:
    page = reading(opened, served, at(served, "Now wire it to the command line"))

    page.get_by_role("button", name="@cli/main.py").first.click()

    expect(page.get_by_role("dialog")).to_contain_text("cli/main.py")


@pytest.mark.whole
def test_the_slash_command_stands_as_it_was_typed(opened: Opened, served: Served) -> None:
    page = reading(opened, served, at(served, "/review"))

    command = page.locator("article.command").first
    expect(command).to_contain_text("/review src/import")
    expect(command).to_contain_text("command")
    expect(command).not_to_contain_text("<command")


@pytest.mark.parametrize(
    "piece",
    ["article.answer[aria-label*='14:33']", "section.side-branch:has-text('click options')"],
)
def test_the_menu_of_what_has_no_head_covers_nothing_of_it(
    opened: Opened, served: Served, piece: str
) -> None:
    page = reading(opened, served, at(served, "Now wire it to the command line"))
    row = page.locator(piece)
    # Only answers longer than those of the story are shown in parts, of which one has the head.
    if piece.startswith("article"):
        row.evaluate("e => { e.classList.add('cont'); e.querySelector('.who').remove() }")

    row.hover()

    menu = page.get_by_role("button", name="More about this message").locator("svg")
    stands, begins = menu.bounding_box(), row.bounding_box()
    assert stands is not None
    assert begins is not None
    assert stands["y"] + stands["height"] / 2 <= begins["y"]


def test_unfolding_everything_and_folding_again(opened: Opened, served: Served) -> None:
    page = reading(opened, served, at(served, "Use the existing flags"))
    folded = page.locator("details.step:not([open])").count()

    page.keyboard.press("X")

    expect(page.locator("details.step:not([open])")).to_have_count(0)
    assert folded > 0


@pytest.mark.whole
def test_x_on_a_prompt_unfolds_its_turn_and_folds_it_again(opened: Opened, served: Served) -> None:
    page = reading(opened, served, at(served, "Use the existing flags"))
    prompt = page.locator("article.prompt", has_text="Use the existing flags").first
    prompt.focus()

    page.keyboard.press("x")
    expect(page.locator("details.step[open]").first).to_be_visible()
    opened_steps = page.locator("details.step[open]").count()
    prompt.focus()
    page.keyboard.press("x")

    expect(page.locator("details.step[open]")).to_have_count(0)
    assert opened_steps > 1


@pytest.mark.whole
def test_only_the_talk_hides_steps_and_thinking_until_it_is_left(
    opened: Opened, served: Served
) -> None:
    page = reading(opened, served, at(served, "Use the existing flags"))
    expect(page.locator(".steps").first).to_be_visible()

    page.keyboard.press("z")

    expect(page.locator(".steps:visible, .think:visible, .agent:visible")).to_have_count(0)
    expect(page.locator("article.prompt:visible").first).to_be_visible()
    expect(page.locator("article.answer > .prose:visible").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("ImportJob")
    page.keyboard.press("Enter")
    expect(page.locator(":is(.steps, .agent):visible").first).to_be_visible()
    until(page, lambda: "ImportJob" in marked(page))
    page.keyboard.press("Escape")
    expect(page.locator(".steps:visible, .think:visible, .agent:visible")).to_have_count(0)
    page.get_by_role("button", name="Show everything").click()
    expect(page.locator(".steps:visible").first).to_be_visible()


@pytest.mark.whole
def test_panes_fold_and_are_remembered(opened: Opened, served: Served) -> None:
    page = reading(opened, served)
    expect(page.locator(".outline-list")).to_be_visible()

    page.keyboard.press("o")
    expect(page.locator(".outline-list")).to_be_hidden()
    page.reload()
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()

    expect(page.locator(".outline-list")).to_be_hidden()


@pytest.mark.whole
def test_facts_explain_branches_context_agents_and_files(opened: Opened, served: Served) -> None:
    page = reading(opened, served)

    facts = page.get_by_role("region", name="Facts")
    for words in ("Use a job table instead", "Context", "find every caller", "Files changed"):
        expect(facts).to_contain_text(words)
    expect(facts).to_contain_text("last-prompt")


def test_a_branch_that_was_left_counts_its_own_turns_in_the_facts_as_in_the_outline(
    opened: Opened, served: Served
) -> None:
    page = reading(opened, served)
    words = "Use a job table instead"

    listed = page.get_by_role("region", name="Facts").locator("a.branch")
    expect(page.locator(".outline-list li", has_text=words)).to_contain_text("3 turns, rewound")
    expect(listed.filter(has_text=words)).to_contain_text("3 turns")
    expect(listed.first).to_contain_text("9 turns")


@pytest.mark.whole
def test_the_map_shows_where_one_is(opened: Opened, served: Served) -> None:
    page = reading(opened, served)
    shown = page.get_by_role("img", name=re.compile("Map of the conversation"))
    expect(shown).to_have_attribute("aria-label", re.compile(r"you are at (9\d|100) percent"))

    page.keyboard.press("Home")

    expect(shown).to_have_attribute("aria-label", re.compile(r"you are at \d percent"))


def test_the_map_begins_below_the_head_however_high_that_is(opened: Opened, served: Served) -> None:
    page = reading(opened, served)
    page.keyboard.press("Home")
    shown = page.get_by_role("img", name=re.compile("Map of the conversation"))
    expect(shown).to_be_visible()
    head = page.locator(".reader > .top")
    before = head.bounding_box()

    page.get_by_role("heading", level=1).evaluate("(one) => { one.style.maxWidth = '160px' }")

    def is_below() -> bool:
        covers, begins = head.bounding_box(), shown.bounding_box()
        assert before
        assert covers
        assert begins
        higher = covers["height"] > before["height"]
        return higher and begins["y"] >= covers["y"] + covers["height"]

    until(page, is_below)


@pytest.mark.parametrize(
    ("branches", "words"), [(1, "in the whole session"), (3, "with the other branches")]
)
def test_what_a_session_costs_beside_what_is_read_names_only_branches_there_are(
    opened: Opened, served: Served, branches: int, words: str
) -> None:
    def leave_branches_out(route: Route) -> None:
        facts = route.fetch().json()
        route.fulfill(json=facts | {"branches": facts["branches"][:branches]})

    page = opened(served, "/", kept=False)
    page.route(re.compile(rf"/api/sessions/{story(served)}(\?|$)"), leave_branches_out)
    page.goto(f"{served.address}/s/{story(served)}")
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()

    page.keyboard.press("Home")

    expect(page.locator("header.head")).to_contain_text(f"$5.22 here, $6.19 {words}")


def test_on_a_phone_the_tools_stand_at_the_bottom(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = reading(
        opened, served, at(served, "Use the existing flags"), width=390, height=844, has_touch=True
    )
    tools = page.get_by_role("navigation", name="Conversation tools")
    picture(page, "phone", docs=True)

    tools.get_by_role("button", name="Prompts").click()
    page.get_by_role("dialog").get_by_text("Where do we lose the cursor").click()

    wanted = page.locator("article.prompt").filter(has_text="Where do we lose the cursor")
    expect(wanted).to_be_in_viewport()
    tools.get_by_role("button", name="Latest").click()
    expect(page.get_by_text("Run the whole suite and fix what breaks").last).to_be_in_viewport()


def test_on_a_phone_no_prompt_shows_between_the_head_of_the_sheet_and_its_tabs(
    opened: Opened, served: Served
) -> None:
    page = reading(opened, served, width=390, height=500)
    page.get_by_role("button", name="Prompts").click()
    body = page.locator(".dialog-body")

    body.evaluate("(element) => { element.scrollTop = 150 }")

    assert body.evaluate("(element) => element.scrollTop") == 150
    assert page.get_by_role("dialog").get_by_role("tablist").evaluate(TOP_OF) == body.evaluate(
        TOP_OF
    )


def test_on_a_phone_the_title_is_read_to_its_end(opened: Opened, served: Served) -> None:
    page = reading(opened, served)
    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("Home")

    title = page.get_by_role("heading", name="Make the CSV import resumable")
    expect(page.get_by_text("Active branch of")).to_be_visible()
    until(page, lambda: title.evaluate("(one) => one.scrollWidth <= one.clientWidth"))


def test_a_title_without_room_has_a_second_line_until_one_scrolls(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/s/fd6448be", width=1024)
    title = page.get_by_role("heading", name="Ticket 318: orders without a customer")
    expect(title).to_be_visible()
    title.evaluate("(one) => { one.style.maxWidth = '200px' }")
    page.keyboard.press("Home")

    until(page, lambda: title.evaluate("(one) => one.scrollWidth <= one.clientWidth"))
    assert title.evaluate("(one) => one.getBoundingClientRect().height") == 2 * 28


def test_where_no_session_is_nothing_stands_beside_it(opened: Opened, served: Served) -> None:
    page = opened(served, "/s/00000000-none")
    expect(page.get_by_role("heading", name="Not found")).to_be_visible()

    expect(page.get_by_role("navigation", name="Prompts and sessions")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    expect(page.get_by_role("navigation", name="Conversation tools")).to_have_count(0)


def test_a_session_that_is_none_names_the_nearest(opened: Opened, served: Served) -> None:
    page = opened(served, "/s/3f9c99999", allow=("404",))

    expect(page.get_by_role("main")).to_contain_text("No session begins with 3f9c99999")
    expect(page.get_by_role("main")).to_contain_text("3f9c21d0")


def test_a_link_to_a_branch_that_is_none_opens_the_active_one(
    opened: Opened, served: Served
) -> None:
    page = opened(served, f"/s/{story(served)}?tip=nobody")

    expect(page.get_by_text("No message of this session begins with nobody.")).to_be_visible()
    expect(page.get_by_text("Active branch of 3")).to_have_count(1)
    expect(page.get_by_text("Run the whole suite and fix what breaks").last).to_be_in_viewport()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


def test_a_branch_is_named_by_the_beginning_of_a_message(opened: Opened, served: Served) -> None:
    tips = [one["tip"] for one in served.get(f"/api/sessions/{story(served)}")["branches"]]

    page = opened(served, f"/s/{story(served)}?tip={tips[1][:6]}")

    expect(page.get_by_text("Left-behind branch of 3")).to_have_count(1)
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()


def test_who_went_to_the_end_forks_from_the_end(opened: Opened, served: Served) -> None:
    page = opened(served, "/s/7c2e91ab", height=500)
    last = "Could the checkpoint live in object storage instead?"
    expect(page.get_by_text(last).last).to_be_visible()
    page.keyboard.press("End")
    outline = page.get_by_role("navigation", name="Prompts and sessions")
    expect(outline.locator("[aria-current]")).to_contain_text(last)

    page.keyboard.press("f")

    expect(page.get_by_role("dialog").locator("q")).to_have_text(last)


def test_where_nothing_is_open_nothing_can_be_forked(opened: Opened, served: Served) -> None:
    page = opened(served, "/s/00000000-none", allow=("404",))
    expect(page.get_by_role("alert")).to_be_visible()

    page.keyboard.press("m")
    page.keyboard.press("f")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


@pytest.mark.whole
def test_a_plan_leads_to_its_implementation(opened: Opened, served: Served) -> None:
    rows = served.get("/api/sessions?limit=100")["rows"]
    plan = next(row for row in rows if row["plan"] and row["plan"]["role"] == "plan")
    page = opened(served, f"/s/{plan['id']}")

    page.get_by_role(
        "link", name=re.compile(re.escape(plan["plan"]["others"][0]["title"]))
    ).first.click()

    expect(page).to_have_url(re.compile(plan["plan"]["others"][0]["id"]))


@pytest.mark.whole
def test_images_open_in_a_lightbox(opened: Opened, served: Served) -> None:
    hit = served.get("/api/search?q=has%3Aimage")
    assert hit["hits"], "the made-up history has a picture"
    first = hit["hits"][0]
    page = opened(served, f"/s/{first['session']}?at={first['uuid']}")

    picture = page.locator(".piece img").first
    expect(picture).to_be_visible()
    until(page, lambda: picture.evaluate("(image) => image.complete && image.naturalWidth > 0"))
    picture.click()

    expect(page.get_by_role("dialog").get_by_role("img").first).to_be_visible()
