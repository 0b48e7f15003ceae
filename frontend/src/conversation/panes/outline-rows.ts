/**
 * How much of a long list is drawn: first a stretch around the reader, then more at each pause.
 *
 * A thousand rows take longer than the words beside them, and the words are what one came for.
 */
const STRETCH = 60

export interface OutlineRange {
  readonly from: number
  readonly to: number
}

/** The rows that are drawn when so many steps were taken; the one that is read is always among them. */
export function rowsAround(count: number, first: number, here: number, steps: number): OutlineRange {
  const reach = STRETCH * (steps + 1)
  const centre = first < 0 ? here : first
  return {
    from: Math.max(0, Math.min(centre, here) - reach),
    to: Math.min(count, Math.max(centre, here) + reach + 1),
  }
}

/** Do something when the page has nothing better to do. Returns what takes it back. */
export function runWhenIdle(task: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const id = requestIdleCallback(task, { timeout: 1_000 })
    return () => cancelIdleCallback(id)
  }
  const id = setTimeout(task, 100)
  return () => clearTimeout(id)
}
