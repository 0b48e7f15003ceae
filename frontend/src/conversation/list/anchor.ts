/**
 * The first visible lines of text: where they were before a change of the page, and by how much
 * the change moved them.
 */
import { distanceMoved, distanceToFold, findFirstLines, updateLines, type TextLine } from './first-line'
import type { Row } from './rows'

/** A line, the row it is in, and where that row began. */
export interface LinePosition {
  readonly line: TextLine
  readonly row: Row
  readonly before: number
}

export class AnchorLines {
  private lines: TextLine[] = []

  constructor(
    private scroller: HTMLElement,
    private strip: HTMLElement,
    private rowOf: (key: string | undefined) => Row | undefined,
    private offsetOf: (row: Row) => number,
  ) {}

  clear(): void {
    this.lines = []
  }

  /** Find the first lines below the head, unless they are known. */
  find(headHeight: number): void {
    if (this.lines.length === 0) {
      const lines = findFirstLines(this.scroller, this.strip, headHeight)
      // What stands for a piece that is on its way is no line.
      this.lines = lines.filter((line) => !line.row.classList.contains('waiting'))
    }
  }

  /** Note where the lines are; to be called before a change. */
  positions(): LinePosition[] {
    return this.lines.flatMap((line) => {
      const row = this.rowOf(line.row.dataset['piece'])
      return row ? [{ line, row, before: this.offsetOf(row) }] : []
    })
  }

  /** By how much a change moved the first of the lines that is still there. */
  distanceMoved(positions: readonly LinePosition[]): number {
    const first = positions[0]
    const toFold = first && distanceMoved(first.line) === null ? distanceToFold(first.line) : null
    const left = toFold === null ? positions.find(({ line }) => distanceMoved(line) !== null) : first
    const one = left ?? first
    const distance = one ? this.offsetOf(one.row) - one.before + (toFold ?? distanceMoved(one.line) ?? 0) : 0
    const lines = updateLines(this.lines)
    // Without the first one another line is the first now: it is looked for when all is placed.
    this.lines = lines[0] === first?.line ? lines : []
    return Math.round(distance)
  }
}
