/**
 * Moving through a list with the keyboard: the focus is the cursor, so it is always seen and
 * Tab goes on from it. Rows are the elements with `data-row`.
 */
export function findRows(list: ParentNode): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => row.offsetParent !== null)
}

/** Give the row that has the focus, or holds it. */
export function focusedRow(list: ParentNode): HTMLElement | null {
  return (
    findRows(list).find((row) => row === document.activeElement || row.contains(document.activeElement)) ??
    null
  )
}

/** Focus the row so many further; without a focus the first that is in sight. */
export function moveFocus(list: HTMLElement, step: number): boolean {
  const rows = findRows(list)
  const now = focusedRow(list)
  const target = now ? rows[rows.indexOf(now) + step] : firstInSight(rows, step)
  return focusRow(target)
}

/** Focus the next row for which something holds, in either direction. */
export function moveFocusTo(list: HTMLElement, step: 1 | -1, wanted: (row: HTMLElement) => boolean): boolean {
  const rows = findRows(list)
  const now = focusedRow(list)
  for (let at = now ? rows.indexOf(now) + step : 0; at >= 0 && at < rows.length; at += step) {
    const row = rows[at]
    if (row && wanted(row)) {
      return focusRow(row)
    }
  }
  return false
}

/** Focus the row half a page further: at least the next one, and where there is none this one. */
export function moveByHalfPage(
  list: HTMLElement,
  step: 1 | -1,
  among: (row: HTMLElement) => boolean = () => true,
): boolean {
  const rows = findRows(list).filter(among)
  const now = focusedRow(list) ?? firstInSight(rows, 1)
  if (!now) {
    return false
  }
  const ahead = step > 0 ? rows.slice(rows.indexOf(now) + 1) : rows.slice(0, rows.indexOf(now)).reverse()
  const half = (list.closest('.scroller')?.clientHeight ?? innerHeight) / 2
  const from = now.getBoundingClientRect().top
  // What stands in another column is not further down, but before or beside.
  const beyond = ahead.findIndex((row) => {
    const way = step * (row.getBoundingClientRect().top - from)
    return way < 0 || way > half
  })
  return focusRow(ahead.at(beyond < 0 ? -1 : Math.max(0, beyond - 1)) ?? now)
}

export function focusEnd(list: HTMLElement, last: boolean): boolean {
  const rows = findRows(list)
  return focusRow(last ? rows.at(-1) : rows[0])
}

export function focusRow(row: HTMLElement | undefined): boolean {
  if (!row) {
    return false
  }
  const target = row.matches('a, button, [tabindex]')
    ? row
    : row.querySelector<HTMLElement>('a, button, summary')
  target?.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
  return true
}

function firstInSight(rows: readonly HTMLElement[], step: number): HTMLElement | undefined {
  const seen = rows.filter((row) => {
    const box = row.getBoundingClientRect()
    return box.top >= 0 && box.bottom <= innerHeight
  })
  return (step > 0 ? seen[0] : seen.at(-1)) ?? rows[0]
}

/**
 * Keep the focus in a list whose rows are put elsewhere or give way to others, which takes it
 * away: it goes to the row with the same address, else to the first in sight.
 */
export function keepRowFocus(list: HTMLElement): () => void {
  let row: HTMLElement | null = null
  let address: string | null = null

  function noteFocus(): void {
    row = focusedRow(list)
    address = row?.getAttribute('href') ?? null
  }

  function noteLoss(event: FocusEvent): void {
    // Who presses somewhere else leaves the list; a row that is taken away comes back at once.
    setTimeout(() => {
      if (event.relatedTarget !== null || document.activeElement === document.body) {
        noteFocus()
      }
    })
  }

  const seen = new MutationObserver(() => {
    if (row && document.activeElement === document.body) {
      const same = findRows(list).find((one) => one.getAttribute('href') === address)
      if (!focusRow(same)) {
        moveFocus(list, 1)
      }
    }
  })
  list.addEventListener('focusin', noteFocus)
  list.addEventListener('focusout', noteLoss)
  seen.observe(list, { childList: true, subtree: true })
  return () => {
    list.removeEventListener('focusin', noteFocus)
    list.removeEventListener('focusout', noteLoss)
    seen.disconnect()
  }
}
