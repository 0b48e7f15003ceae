/**
 * Diffs side by side, where the page is wide enough; whether it is, only the style sheet knows.
 *
 * A line that stayed is in the page once, so that it is found, copied and read out once. Where old
 * and new stand side by side, the style sheet draws it a second time from what is noted here.
 */
export function repeatUnchangedLines(root: ParentNode): void {
  for (const row of root.querySelectorAll<HTMLElement>('.diff:not(.one) .r:not(.a, .d)')) {
    row.dataset['line'] ??= row.lastElementChild?.textContent ?? ''
  }
}
