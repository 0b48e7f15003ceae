/**
 * Where a jump wants to be while its piece is not here yet.
 *
 * An exact one was left at that very pixel: folds that were open load what is in them around it,
 * and the place waits for them for a while. Scrolling ends any of them.
 */
import type { Anchor } from './viewport'

/** Folds that were open load what is in them within this time. */
const EXACT_FOR = 2_500

interface Target {
  readonly anchor: Anchor
  /** How far below the head it is to be. */
  readonly below: number
  readonly isExact: boolean
}

export class JumpTarget {
  private target: Target | null = null
  private due: ReturnType<typeof setTimeout> | undefined

  get current(): Target | null {
    return this.target
  }

  set(anchor: Anchor, below: number, isExact: boolean): void {
    this.target = { anchor, below, isExact }
  }

  clear(): void {
    this.target = null
  }

  /** The head covers so much more or less: the place on the screen stays. */
  moveBelow(by: number): void {
    if (this.target) {
      this.target = { ...this.target, below: this.target.below + by }
    }
  }

  /** Whether a place that was left to the pixel is still being filled. */
  isExactAmong(count: number): boolean {
    return this.target !== null && this.target.isExact && this.target.anchor.index < count
  }

  /** Hold an exact target as long as what is around it may still load. */
  releaseLater(release: () => void): void {
    this.due = setTimeout(release, EXACT_FOR)
  }

  stopWaiting(): void {
    clearTimeout(this.due)
  }
}
