/**
 * The hold on the first visible lines: where they were before a change, and by how much they
 * were moved by it.
 */
import { firstLines, moved, renewed, shelteredBy, type Line } from './line'
import type { Slot } from './slots'

/** A line, the box it is in, and where that box began. */
export interface Grip {
  readonly line: Line
  readonly slot: Slot
  readonly before: number
}

export class Hold {
  private lines: Line[] = []

  constructor(
    private scroller: HTMLElement,
    private strip: HTMLElement,
    private boxOf: (key: string | undefined) => Slot | undefined,
    private offset: (slot: Slot) => number,
  ) {}

  forget(): void {
    this.lines = []
  }

  /** Take hold of the first lines below the head, if there is none. */
  take(cover: number): void {
    if (this.lines.length === 0) {
      const lines = firstLines(this.scroller, this.strip, cover)
      // What stands for a piece that is on its way is no line.
      this.lines = lines.filter((line) => !line.slot.classList.contains('waiting'))
    }
  }

  /** Note where the lines are; to be asked before a change. */
  grips(): Grip[] {
    return this.lines.flatMap((line) => {
      const slot = this.boxOf(line.slot.dataset['piece'])
      return slot ? [{ line, slot, before: this.offset(slot) }] : []
    })
  }

  /** By how much a change moved the first of the lines that is still there. */
  movedBy(grips: readonly Grip[]): number {
    const first = grips[0]
    const sheltered = first && moved(first.line) === null ? shelteredBy(first.line) : null
    const left = sheltered === null ? grips.find(({ line }) => moved(line) !== null) : first
    const grip = left ?? first
    const by = grip ? this.offset(grip.slot) - grip.before + (sheltered ?? moved(grip.line) ?? 0) : 0
    const lines = renewed(this.lines)
    // Without the first one another line is the first now: it is looked for when all is placed.
    this.lines = lines[0] === first?.line ? lines : []
    return Math.round(by)
  }
}
