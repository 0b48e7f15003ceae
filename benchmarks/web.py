"""How fast the page opens, jumps, scrolls and follows, in a real Chromium.

    python benchmarks/web.py

A session of 25,000 records is opened by a click, jumped about in, flung through and searched;
the tree of one with 1,000 branch points is opened and panned; then 20 sessions are written to
at once while one of them is read. Times end with the frame in which the thing was drawn.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from benchmarks import results
from benchmarks.live import percentile
from benchmarks.longsession import RARE, write_branched, write_long
from benchmarks.results import say, seconds
from tests.web.chromium import launch
from tests.web.serving import Served

_TITLE = "The page: a session of 25,000 records, and 20 live ones"
_PROBE = (Path(__file__).parent / "probes" / "page.js").read_text(encoding="utf-8")
_WRITER = Path(__file__).with_name("livewriter.py")
# After the first words the server reads the rest of the session.
_SETTLE = 3.0
_ROOM = {"width": 1440, "height": 900}
Row = tuple[str, str, str, bool | None]


def row(name: str, value: float, most: float | None, unit: str) -> Row:
    """Lay out one number with its target."""
    shown = {"s": seconds, "frames": "{:.0f} frames".format, "MB": "{:.0f} MB".format}[unit]
    target = "" if most is None else f"<= {shown(most)}"
    return name, shown(value), target, None if most is None else value <= most


def page_of(browser: Browser, server: Served, path: str) -> Page:
    """Open a page with the probe in it."""
    context = browser.new_context(viewport=_ROOM, reduced_motion="reduce")
    context.add_init_script(_PROBE)
    page = context.new_page()
    page.goto(server.address + path)
    return page


def opening(browser: Browser, server: Served, session: str, rounds: int) -> list[float]:
    """Click the session in the list; seconds until its first words."""
    taken = []
    for _ in range(rounds):
        page = page_of(browser, server, "/sessions")
        link = page.locator(f"main a[href*='/s/{session}']").first
        link.wait_for()
        page.wait_for_timeout(300)
        handle = page.evaluate_handle("() => ({})")
        link.evaluate("(link, box) => { box.told = bench.opened(link) }", handle)
        link.click()
        taken.append(page.evaluate("box => box.told", handle) / 1_000)
        page.context.close()
    return taken


def jumping(page: Page, server: Served, session: str, rounds: int) -> dict[str, list[float]]:
    """Go to messages all over the session, by address, and to both ends by keys."""
    told = server.get(f"/api/sessions/{session}/conversation?whole=1")
    keys = [key for key in told["keys"] if ":" not in key and "/" not in key]
    dice = random.Random(3)
    found: dict[str, list[float]] = {"messages": [], "Home": [], "End": []}
    for key in dice.choices(keys, k=rounds):
        address = f"/s/{session}?at={quote(key)}"
        found["messages"].append(page.evaluate("([a, k]) => bench.jumped(a, k)", [address, key]))
        page.wait_for_timeout(120)
    for _ in range(5):
        for name, key in (("Home", told["keys"][0]), ("End", told["keys"][-1])):
            handle = page.evaluate_handle("() => ({})")
            page.evaluate("([box, key]) => { box.told = bench.pressed(key) }", [handle, key])
            page.keyboard.press(name)
            found[name].append(page.evaluate("box => box.told", handle))
            page.wait_for_timeout(120)
    return {name: [value / 1_000 for value in values] for name, values in found.items()}


def flinging(page: Page, protocol: CDPSession) -> dict[str, float]:
    """Scroll as fast as a hand can, up and down, and watch every frame."""
    page.evaluate("() => bench.watch()")
    for distance in (60_000, -60_000, 60_000):
        gesture = {"x": 720, "y": 500, "yDistance": distance, "speed": 30_000}
        protocol.send("Input.synthesizeScrollGesture", gesture)
    page.wait_for_timeout(300)
    told: dict[str, float] = page.evaluate("() => bench.stop()")
    return told


def presenting(page: Page, address: str, rounds: int) -> list[Row]:
    """Present the session from a message on; from each key to the frame of the next slide."""
    say("presenting")
    page.evaluate("address => bench.go(address)", address)
    page.wait_for_timeout(500)
    page.keyboard.press("p")
    page.locator(".present-slide[data-current]").wait_for(timeout=60_000)
    page.wait_for_timeout(500)
    taken = []
    for number in range(rounds):
        handle = page.evaluate_handle("() => ({})")
        page.evaluate("box => { box.told = bench.revealed() }", handle)
        page.keyboard.press("ArrowDown" if number % 5 == 4 else "ArrowRight")
        taken.append(page.evaluate("box => box.told", handle) / 1_000)
        page.wait_for_timeout(60)
    page.keyboard.press("Escape")
    page.locator(".present").wait_for(state="detached")
    return [
        row("present: key to the next slide, median", percentile(taken, 0.5), None, "s"),
        row("present: key to the next slide, p95", percentile(taken, 0.95), 0.05, "s"),
    ]


def middle_of(server: Served, session: str) -> str:
    """Give the address of a message in the middle of the session."""
    keys: list[str] = server.get(f"/api/sessions/{session}/conversation?whole=1")["keys"]
    plain = [key for key in keys if ":" not in key and "/" not in key]
    return f"/s/{session}?at={quote(plain[len(plain) // 2])}"


def heap(protocol: CDPSession, *, collect: bool) -> float:
    """Give the megabytes of the page's heap."""
    if collect:
        protocol.send("HeapProfiler.collectGarbage")
    metrics = protocol.send("Performance.getMetrics")["metrics"]
    return next(one["value"] for one in metrics if one["name"] == "JSHeapUsedSize") / 1e6


def finding(page: Page) -> float:
    """Find a rare word and then a common one; seconds until the rare one is counted."""
    page.keyboard.press("/")
    began = time.perf_counter()
    page.keyboard.type(RARE)
    page.get_by_text("of 4").first.wait_for()
    taken = time.perf_counter() - began
    page.keyboard.press("Control+a")
    page.keyboard.type("checkpoint")
    page.wait_for_timeout(1_500)
    for _ in range(20):
        page.keyboard.press("Enter")
        page.wait_for_timeout(30)
    page.keyboard.press("Escape")
    return taken


def following(browser: Browser, server: Served, folder: Path, duration: float) -> list[float]:
    """Read one of 20 sessions that are written to; seconds from each write to the screen."""
    say("following")
    notes = folder / "notes"
    claude = str(server.claude)
    writer = [sys.executable, str(_WRITER), claude, str(notes), "--rate", "200", "--seconds"]
    subprocess.run([*writer, "1", "--seed", "5"], check=True)
    offset = time.time_ns() - time.monotonic_ns()
    shown = "00000000-0000-0000-0000-000000000001"
    server.until(lambda: any(row["id"] == shown for row in _rows(server)))
    page = page_of(browser, server, f"/s/{shown}")
    page.locator(".slot:not(.waiting)").first.wait_for()
    page.keyboard.press("End")
    page.wait_for_timeout(500)
    page.evaluate("() => bench.listen()")
    subprocess.run([*writer, str(duration)], check=True)
    page.wait_for_timeout(1_500)
    arrived: dict[str, float] = page.evaluate("() => bench.arrived")
    page.context.close()
    delays = []
    for line in notes.read_text(encoding="ascii").splitlines():
        session, identity, began = line.split()
        if session == shown and arrived.get(identity):
            delays.append(arrived[identity] / 1e3 - (int(began) + offset) / 1e9)
    return delays


def branching(browser: Browser, server: Served, session: str) -> list[Row]:
    """Open the tree of a conversation that is read, and pan it for three seconds in each zoom."""
    page = page_of(browser, server, f"/s/{session}")
    page.locator(".slot:not(.waiting)").first.wait_for()
    page.wait_for_timeout(_SETTLE * 1_000)
    handle = page.evaluate_handle("() => ({})")
    page.evaluate("box => { box.told = bench.shown('t', '.tree-row .words') }", handle)
    page.keyboard.press("t")
    painted = page.evaluate("box => box.told", handle) / 1_000
    rows = [row("tree of 1,000 branch points, first paint", painted, 0.5, "s")]
    protocol = page.context.new_cdp_session(page)
    for zoom in ("Prompts", "Every message"):
        page.get_by_label(zoom).check()
        page.wait_for_timeout(_SETTLE * 1_000)
        page.keyboard.press("Home")
        page.wait_for_timeout(300)
        page.evaluate("() => bench.watch()")
        gesture = {"x": 400, "y": 500, "yDistance": -12_000, "speed": 4_000}
        protocol.send("Input.synthesizeScrollGesture", gesture)
        told = page.evaluate("() => bench.stop()")
        name = f"tree, {zoom.lower()}: longest frame in a pan of 3 s"
        rows.append(row(name, told["longestGap"] / 1e3, 0.05, "s"))
    page.context.close()
    return rows


def reading(browser: Browser, server: Served, session: str, times: int) -> list[Row]:
    """Jump, fling, present and search in one page of a long conversation; then weigh it."""
    rows: list[Row] = []
    page = page_of(browser, server, f"/s/{session}")
    page.locator(".slot:not(.waiting)").first.wait_for()
    page.wait_for_timeout(2_000)
    protocol = page.context.new_cdp_session(page)
    protocol.send("Performance.enable")
    say("jumping")
    for name, taken in jumping(page, server, session, times).items():
        middle, late = percentile(taken, 0.5), percentile(taken, 0.95)
        rows.append(row(f"jump: {name}, median", middle, None, "s"))
        rows.append(row(f"jump: {name}, p95", late, 0.1, "s"))
    say("flinging")
    flung = flinging(page, protocol)
    rows.append(row("flinging: longest blank", flung["longest"], 2, "frames"))
    rows.append(row("flinging: frames in all", flung["frames"], None, "frames"))
    rows.append(row("flinging: partly not there yet", flung["partly"], None, "frames"))
    rows.append(row("flinging: longest frame", flung["longestGap"] / 1e3, None, "s"))
    rows += presenting(page, middle_of(server, session), times)
    say("finding")
    rows.append(row("find a rare word, typing included", finding(page), None, "s"))
    rows += [
        row("heap after all that", heap(protocol, collect=False), 150, "MB"),
        row("heap after all that, collected", heap(protocol, collect=True), 150, "MB"),
    ]
    page.context.close()
    return rows


def _rows(server: Served) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = server.get("/api/sessions?limit=100")["rows"]
    return rows


def measure(options: argparse.Namespace, scratch: Path) -> tuple[list[Row], list[str]]:
    """Measure everything; give the rows and the facts."""
    claude = scratch / "claude"
    session, records = write_long(claude)
    branched, _ = write_branched(claude)
    rows: list[Row] = []
    with sync_playwright() as playwright, Served(claude, scratch) as server:
        browser = launch(playwright.chromium, "--enable-precise-memory-info")
        say("opening")
        server.kill()
        server.start()
        cold = opening(browser, server, session, 1)
        time.sleep(_SETTLE)
        warm = opening(browser, server, session, options.rounds)
        rows.append(row("click to first content, first time", max(cold), 0.5, "s"))
        rows.append(row("click to first content, again, slowest", max(warm), 0.5, "s"))
        rows += reading(browser, server, session, options.rounds * 6)
        say("branching")
        rows += branching(browser, server, branched)
        delays = following(browser, server, scratch, options.seconds)
        rows.append(row("append to visible, median", percentile(delays, 0.5), None, "s"))
        rows.append(row("append to visible, p99", percentile(delays, 0.99), 0.1, "s"))
        version = browser.version
        browser.close()
    facts = [
        f"{records:,} records, made up: 5 rewinds, 4 compactions; a window of 1440 by 900",
        f"Appends: 200 records/s over 20 sessions for {options.seconds:.0f} s",
        f"Drawn of those in the session that was open: {len(delays)}",
        f"Chromium {version}",
    ]
    return rows, facts


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the section, print it; fail where a target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--results", type=Path, default=results.FILE)
    parser.add_argument("--dry", action="store_true", help="leave the file of results alone")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        rows, facts = measure(options, Path(scratch))
    verdicts = {None: "", True: "met", False: "missed"}
    table = [[name, value, target, verdicts[met]] for name, value, target, met in rows]
    lines = results.table(["what", "measured", "target", "verdict"], table)
    text = results.section(_TITLE, facts, {}, [lines])
    if not options.dry:
        results.write(options.results, _TITLE, text)
    print(text)
    return int(any(met is False for _, _, _, met in rows))


if __name__ == "__main__":
    raise SystemExit(main())
