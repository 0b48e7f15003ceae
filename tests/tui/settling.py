"""When an app has come to rest: nothing asked, nothing queued, nothing left to draw.

Textual's pilot takes a process for idle that used little of a core for 20 ms, after each key
several times. That is most of what tests of an app wait for; and where a core is shared with
other processes, it is wrong. An app knows what it still has to do, so we ask it.
"""

import asyncio
import contextlib
import time
from typing import Any, Final

from textual._context import active_app
from textual.app import App, ScreenStackError
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.timer import Timer
from textual.worker import WorkerCancelled

_IN_A_ROW: Final = 3
"""A message on its way from one queue to the next is in neither; not so many looks long."""
_SOON: Final = 0.2
"""What an app puts off for so long, it is about to do: more letters may come to a search."""
_PATIENCE: Final = 30.0


async def rest(_min_sleep: float = 0) -> None:
    """Wait until an app has handled and drawn everything; stands in for `wait_for_idle`."""
    app = active_app.get()
    end = time.monotonic() + _PATIENCE
    quiet = 0
    while quiet < _IN_A_ROW and not await _has_left(app):
        assert time.monotonic() < end, "the app does not come to rest"
        # A key comes over the loop: one turn for the call, one for its task.
        for _ in range(3):
            await asyncio.sleep(0)
        await Pilot(app)._wait_for_screen()
        quiet = 0 if _draws(app) or _has_messages(app) else quiet + 1


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until everything that was asked is answered and drawn."""
    app = pilot.app
    end = time.monotonic() + _PATIENCE
    while not await _has_left(app):
        assert time.monotonic() < end, "the app always has something to ask"
        await rest()
        waits = [worker for worker in app.workers if not worker.is_finished]
        with contextlib.suppress(WorkerCancelled):  # whoever asked was left meanwhile
            await app.workers.wait_for_complete()
        soon = _put_off(app)
        if soon:
            await asyncio.wait(soon, timeout=_PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if not waits and not soon:
            return


async def _has_left(app: App[Any]) -> bool:
    """Tell whether an app was left, and see it out: it handles nothing any more."""
    if app._exit and isinstance(app._task, asyncio.Task):
        await asyncio.wait([app._task], timeout=_PATIENCE)
    return app._exit


def _pumps(app: App[Any]) -> list[MessagePump]:
    with contextlib.suppress(ScreenStackError):
        return [app, *app.screen.walk_children(with_self=True)]
    return [app]


def _has_messages(app: App[Any]) -> bool:
    return any(
        pump.message_queue_size > 0
        or pump._pending_message is not None
        or len(pump._next_callbacks) > 0
        for pump in _pumps(app)
    )


def _draws(app: App[Any]) -> bool:
    """Draw what is due now instead of at the next frame; tell whether anything was."""
    with contextlib.suppress(ScreenStackError):
        screen = app.screen
        due = bool(
            screen._layout_required
            or screen._scroll_required
            or screen._repaint_required
            or screen._recompose_required
            or screen._dirty_widgets
            or screen._callbacks
        )
        screen._on_timer_update()
        return due
    return False


def _put_off(app: App[Any]) -> list["asyncio.Task[None]"]:
    """List what the app does once and soon."""
    timers: list[Timer] = [timer for pump in _pumps(app) for timer in pump._timers]
    return [
        timer._task
        for timer in timers
        if timer._repeat == 0
        and timer._interval <= _SOON
        and timer._task is not None
        and not timer._task.done()
    ]
