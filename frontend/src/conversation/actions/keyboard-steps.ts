/** Steps of the keyboard through the page: from stop to stop, from prompt to prompt, into folds and out. */
import { findPrompt } from '../data/conversation'
import { findFolds } from '../list/folds'
import type { OpenConversation } from '../open-conversation.svelte'
import {
  distanceIntoView,
  findStops,
  focusStop,
  foldOfStop,
  indexOfStop,
  indexOfStopBelow,
  parentStop,
} from './block-steps'
import type { PageContext } from './key-bindings'

export function stepByStop({ page, strip }: PageContext, by: 1 | -1): void {
  const { list } = page
  const root = strip()
  const stops = root && list ? findStops(root, list.elements()) : []
  if (!list || stops.length === 0) {
    return
  }
  const at = indexOfStop(stops, document.activeElement)
  const top = list.screenBox().top + list.view.headHeight
  const next = at >= 0 ? at + by : indexOfStopBelow(stops, top)
  const stop = stops[Math.max(0, Math.min(stops.length - 1, next))]
  if (stop) {
    visitStop(page, stop)
  }
}

/** Focus a stop and scroll as little as is needed to see it. */
function visitStop({ list }: OpenConversation, stop: HTMLElement): void {
  if (!list) {
    return
  }
  focusStop(stop)
  const screen = list.screenBox()
  const box = stop.getBoundingClientRect()
  const distance = distanceIntoView(box, screen.top + list.view.headHeight + 12, screen.bottom - 24)
  if (distance !== 0) {
    list.scrollBy(distance)
  }
}

export async function goToPrompt(page: OpenConversation, by: 1 | -1): Promise<void> {
  const { data, position } = page
  const focused = document.activeElement?.closest<HTMLElement>('.slot')?.dataset['piece']
  // At the end the last prompt is the one before, wherever the top of the screen is.
  const last = position.isFollowing && by < 0 ? (data?.keys.length ?? 0) : position.current
  const here = focused !== undefined && data ? data.keys.indexOf(focused) : last
  const next = data ? findPrompt(data, here >= 0 ? here : position.current, by) : -1
  if (next < 0) {
    return
  }
  await page.navigator.jumpTo(next)
  const piece = page.list?.element(data?.keys[next] ?? '')?.querySelector<HTMLElement>('.piece')
  if (piece) {
    focusStop(piece)
  }
}

export function openFold(context: PageContext): boolean {
  const { page } = context
  const own = foldOfStop(document.activeElement)
  if (own) {
    if (own.open) {
      stepByStop(context, 1)
    } else {
      void page.folds.setOpen(own, true)
    }
    return true
  }
  const first = visibleFoldsIn(document.activeElement)[0]
  if (first) {
    visitStop(page, first.querySelector('summary') ?? first)
  }
  return first !== undefined
}

export function closeFoldOrParent({ page }: PageContext): boolean {
  const stop = document.activeElement
  const own = foldOfStop(stop)
  if (own?.open) {
    void page.folds.setOpen(own, false)
    return true
  }
  const parent = stop?.closest('.slot') ? parentStop(stop) : null
  if (!parent || parent === stop) {
    return false
  }
  visitStop(page, parent)
  return true
}

/** Enter: press the side branch of a piece, else open what is folded in it. */
export function pressStop(context: PageContext): boolean {
  const stop = document.activeElement
  const button = stop?.matches('.piece') ? stop.querySelector<HTMLElement>('[data-do=side-branch]') : null
  if (button) {
    button.click()
    return true
  }
  return openFold(context)
}

/** Space: fold or unfold the first fold of a piece; elsewhere a screen down or up. */
export function toggleFoldOrScroll(page: OpenConversation, event: KeyboardEvent | null): void {
  const stop = document.activeElement
  const first = stop?.matches('.piece') ? visibleFoldsIn(stop)[0] : undefined
  if (first) {
    void page.folds.setOpen(first, !first.open)
  } else {
    page.list?.scrollByScreens(event?.shiftKey ? -0.9 : 0.9)
  }
}

function visibleFoldsIn(stop: Element | null): HTMLDetailsElement[] {
  return stop?.closest('.slot') ? findFolds(stop).filter((one) => one.checkVisibility()) : []
}
