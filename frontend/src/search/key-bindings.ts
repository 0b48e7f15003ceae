/** The keys of Search: through the hits, into one, and back. */
import type { Actions } from '../keys.svelte'
import { goBack } from '../routes.svelte'
import { focusedRow, focusEnd, moveByHalfPage, moveFocus, moveFocusTo } from '../ui/row-focus'

export interface SearchScreen {
  readonly list: () => HTMLElement | undefined
  readonly input: () => HTMLInputElement | undefined
  readonly open: (number: number) => void
  readonly isPreviewing: () => boolean
  readonly setPreview: (number: number | null) => void
}

export function createSearchActions({ list, input, open, isPreviewing, setPreview }: SearchScreen): Actions {
  const focused = (): number | null => {
    const rows = list()
    const number = rows && focusedRow(rows)?.dataset['hit']
    return number === undefined ? null : Number(number)
  }
  /** Do a move; a preview goes along with it. */
  const moveWithPreview = (move: (rows: HTMLElement) => boolean): boolean => {
    const rows = list()
    const done = rows !== undefined && move(rows)
    const number = focused()
    if (isPreviewing() && number !== null) {
      setPreview(number)
    }
    return done
  }
  const isFirst = (row: HTMLElement): boolean => row.dataset['first'] !== undefined
  const focusInput = (): void => {
    input()?.focus()
    input()?.select()
  }
  const closePreview = (): boolean => {
    const was = isPreviewing()
    setPreview(null)
    return was
  }
  return {
    next: { run: () => moveWithPreview((rows) => moveFocus(rows, 1)), label: 'Next hit' },
    previous: {
      run: () => moveWithPreview((rows) => moveFocus(rows, -1)) || focusInput(),
      label: 'Previous hit',
    },
    nextGroup: { run: () => moveWithPreview((rows) => moveFocusTo(rows, 1, isFirst)), label: 'Next session' },
    previousGroup: {
      run: () => moveWithPreview((rows) => moveFocusTo(rows, -1, isFirst)),
      label: 'Previous session',
    },
    first: { run: () => moveWithPreview((rows) => focusEnd(rows, false)), label: 'First hit' },
    last: { run: () => moveWithPreview((rows) => focusEnd(rows, true)), label: 'Last hit' },
    halfDown: () => moveWithPreview((rows) => moveByHalfPage(rows, 1)),
    halfUp: () => moveWithPreview((rows) => moveByHalfPage(rows, -1)),
    unfold: { run: () => setPreview(focused() ?? 0), label: 'Preview the hit' },
    fold: { run: closePreview, label: 'Close the preview' },
    open: { run: () => open(focused() ?? 0), label: 'Jump to the hit' },
    find: { run: focusInput, label: 'Change the search' },
    close: { run: () => closePreview() || goBack(), label: 'Close the preview, or back to where you were' },
  }
}
