/** Which rows of a long list stand in the page: those in sight and some around them. */
export interface RowRange {
  readonly from: number
  readonly to: number
  /** Heights of what is left out above and below. */
  readonly before: number
  readonly after: number
}

const AROUND = 12
/** Shorter lists stand there whole: the browser's own find then reaches every row. */
export const VIRTUAL_FROM = 200

export function visibleRows(count: number, rowHeight: number, top: number, height: number): RowRange {
  if (count <= VIRTUAL_FROM || rowHeight <= 0) {
    return { from: 0, to: count, before: 0, after: 0 }
  }
  const from = Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - AROUND)
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + AROUND)
  return { from, to, before: from * rowHeight, after: (count - to) * rowHeight }
}
