/** Where the reader is in the open conversation, for everything that is drawn beside it. */
import { formatCount, pluralize } from '../../formats'
import type { Viewport } from '../list/viewport'
import type { SavedPlace } from './saved'

/** Panes follow a fling in steps: each frame belongs to the words. */
const PANES_EVERY = 120
const START_WITHIN = 24

export class ReadingPosition {
  /** The piece that is being read. */
  current = $state(0)
  isAtStart = $state(true)
  isFollowing = $state(false)
  /** Pieces that came while the reader was above them. */
  unseen = $state.raw<ReadonlySet<string>>(new Set())
  /** Steps that came meanwhile in a turn that was there already. */
  unseenSteps = $state(0)
  /** Counts what was drawn, for those who draw beside it; `rested` only when it rests. */
  drawn = $state(0)
  rested = $state(0)
  private updatedAt = 0

  update(view: Viewport, isResting: boolean): void {
    if (isResting || performance.now() - this.updatedAt > PANES_EVERY) {
      this.updatedAt = performance.now()
      this.current = view.readingAnchor().index
    }
    this.isAtStart = view.top < START_WITHIN
    this.isFollowing = view.isPinned
    if (view.isPinned && this.news) {
      this.unseen = new Set()
      this.unseenSteps = 0
    }
    this.drawn += 1
    this.rested += isResting ? 1 : 0
  }

  noteDrawn(): void {
    this.drawn += 1
  }

  /** What came below: 3 new, or 12 new steps where only the last turn has grown. */
  get news(): string {
    if (this.unseen.size > 0) {
      return `${formatCount(this.unseen.size)} new`
    }
    return this.unseenSteps > 0 ? pluralize(this.unseenSteps, 'new step') : ''
  }

  addUnseen(keys: readonly string[], steps = 0): void {
    this.unseen = new Set([...this.unseen, ...keys])
    this.unseenSteps += steps
  }

  /** The place to come back to; null at the end, where one who comes back wants the end again. */
  toSave(view: Viewport, keys: readonly string[]): SavedPlace | null {
    const { index, inner } = view.readingAnchor()
    // A side branch bears the name of a message on the branch it leads to: the piece before it
    // names the place.
    const named = index > 0 && keys[index]?.endsWith('/side-branch') ? index - 1 : index
    const below = inner + view.heights.offset(index) - view.heights.offset(named)
    const key = keys[named]
    return key === undefined || view.isPinned ? null : { key, inner: Math.round(below - view.headHeight) }
  }
}
