/**
 * Steps of the keyboard through the blocks of the page: pieces, folds, and what is open in them.
 */
const STOPS = '.piece, details[data-key] > summary, .branch-row'

/** All places the keyboard stops at, from the top; what is folded away is none. */
export function findStops(strip: HTMLElement, rows: readonly HTMLElement[]): HTMLElement[] {
  const found: HTMLElement[] = []
  for (const row of rows) {
    for (const stop of row.querySelectorAll<HTMLElement>(STOPS)) {
      if (strip.contains(stop) && stop.checkVisibility() && !isWrapper(stop)) {
        found.push(stop)
      }
    }
  }
  return found
}

/** A piece that is nothing but one branch or one fold: the thing in it is the stop. */
function isWrapper(stop: HTMLElement): boolean {
  return (
    stop.matches('.piece') && stop.querySelector(':scope > .branch-row, :scope > details:only-child') !== null
  )
}

/** The stop somebody is at: the focused one, or the one around what has the focus. */
export function indexOfStop(stops: readonly HTMLElement[], focused: Element | null): number {
  const direct = stops.findIndex((stop) => stop === focused)
  return direct >= 0 ? direct : stops.findLastIndex((stop) => stop.contains(focused))
}

/** The first stop below a place of the screen. */
export function indexOfStopBelow(stops: readonly HTMLElement[], y: number): number {
  const found = stops.findIndex((stop) => stop.getBoundingClientRect().top >= y)
  return found >= 0 ? found : stops.length - 1
}

/** The fold a stop belongs to: its own, if it is a summary. */
export function foldOfStop(stop: Element | null): HTMLDetailsElement | null {
  if (stop instanceof HTMLElement && stop.matches('summary')) {
    return stop.parentElement instanceof HTMLDetailsElement ? stop.parentElement : null
  }
  return null
}

/** What is around a stop: the summary of the fold it lies in, else its piece. */
export function parentStop(stop: Element): HTMLElement | null {
  const from = foldOfStop(stop) ?? stop
  const fold = from.parentElement?.closest<HTMLElement>('details[data-key]')
  return fold?.querySelector<HTMLElement>(':scope > summary') ?? from.closest<HTMLElement>('.piece')
}

/** Give a stop the focus without the browser's own scrolling. */
export function focusStop(stop: HTMLElement): void {
  if (!stop.matches('summary, button, a[href]') && !stop.hasAttribute('tabindex')) {
    stop.tabIndex = -1
  }
  stop.focus({ preventScroll: true })
}

/** By how much to scroll so that something is seen between the head and the foot. */
export function distanceIntoView(box: { top: number; bottom: number }, top: number, bottom: number): number {
  const room = bottom - top
  if (box.top < top || box.bottom - box.top > room) {
    return box.top - top
  }
  return box.bottom > bottom ? box.bottom - bottom : 0
}
