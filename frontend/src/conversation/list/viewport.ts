/**
 * Where the reader looks, and how that place is kept while heights change around it.
 *
 * The page scrolls natively, and writing `scrollTop` in the middle of a fling would stop it. So a
 * correction is first made by moving the content (`shift`), and becomes a scroll position only
 * when the scrolling rests (`settle`); both show the same line at the same pixel. The anchor is a
 * piece and a distance inside it; whatever grows or shrinks before it is made up for. Pinned to
 * the end, the last line is what is kept instead.
 */
import type { Heights } from './heights'

/** A place in the conversation: a piece, and how far below its top. */
export interface Anchor {
  index: number
  inner: number
}

/** How far below the head one reads; more than a jump leaves free above its target. */
const READING_LINE = 32

export class Viewport {
  /** What the browser says. */
  scrollTop = 0
  /** By how much the content is moved down to make up for it. */
  shift = 0
  height = 0
  isPinned = false
  /** How much of the top of the screen is covered by the head that floats over it. */
  headHeight = 0
  /** Room kept below the end so that a fold closed near it does not pull the page down. */
  private slack = 0

  constructor(
    public heights: Heights,
    /** Space above the first and below the last piece. */
    public paddingTop: number,
    readonly paddingBottom: number,
  ) {}

  /** How high everything is, space included. */
  get contentHeight(): number {
    return this.height + this.maxScroll
  }

  /** The last scroll position. */
  get maxScroll(): number {
    return this.end + this.slack
  }

  get isAtEnd(): boolean {
    return this.slack === 0 && this.scrollTop >= this.end - 1
  }

  private get end(): number {
    return Math.max(0, this.paddingTop + this.heights.total + this.paddingBottom - this.height)
  }

  /** The place of the content that is at the top of the screen. */
  get top(): number {
    return this.scrollTop - this.shift
  }

  /** Where a piece begins on the screen. */
  screenTop(index: number): number {
    return this.paddingTop + this.heights.offset(index) - this.top
  }

  /** The first piece that is seen, and how much of it is above. */
  firstVisible(): Anchor {
    const y = this.top + this.headHeight - this.paddingTop
    const index = this.heights.indexAt(Math.max(0, y))
    return { index, inner: y - this.heights.offset(index) }
  }

  /** The piece that is being read: the one a little below the head, where a jump lands. */
  readingAnchor(): Anchor {
    const y = this.top + this.headHeight - this.paddingTop
    const index = this.heights.indexAt(Math.max(0, y + READING_LINE))
    return { index, inner: y - this.heights.offset(index) }
  }

  /**
   * The piece whose top has to stay. One that is not laid out yet and comes in from above may
   * become any height: what is to stay then is the piece below it.
   */
  anchorToKeep(): Anchor {
    const { index, inner } = this.firstVisible()
    const coming = inner > 0 && !this.heights.isMeasured(index) && index + 1 < this.heights.count
    return coming ? { index: index + 1, inner: 0 } : { index, inner }
  }

  /** The browser scrolled; tells whether the shift has to be settled because an end is near. */
  noteScroll(scrollTop: number): boolean {
    const up = scrollTop < this.scrollTop
    this.scrollTop = scrollTop
    if (up) {
      this.isPinned = false
      this.slack = Math.min(this.slack, Math.max(0, this.top - this.end))
    }
    return this.shift !== 0 && (scrollTop <= 0 || scrollTop >= this.maxScroll || this.top < 0)
  }

  /**
   * Let heights change, and keep the anchor's line where it is. `grown` is by how much the
   * anchor's line moved inside its own piece.
   */
  keepAnchor(anchor: Anchor, change: () => void, grown = 0): void {
    const before = this.heights.offset(anchor.index)
    change()
    if (this.isPinned) {
      this.slack = 0
      this.shift = this.scrollTop - this.maxScroll
      return
    }
    this.undoMove(this.heights.offset(anchor.index) + grown - before)
  }

  /** What is seen moved down by so much; take it back. */
  undoMove(moved: number): void {
    this.shift -= moved
    this.slack = Math.max(0, this.top - this.end)
  }

  /** Make the shift a scroll position; tells which the browser should take. */
  settle(): number {
    const wanted = this.isPinned ? this.maxScroll : this.top
    this.scrollTop = Math.max(0, Math.min(wanted, this.maxScroll))
    this.shift = 0
    return this.scrollTop
  }

  /** Scroll to a place, `below` pixels under the head. */
  scrollToAnchor(anchor: Anchor, below = 0): void {
    this.isPinned = false
    this.setTop(this.paddingTop + this.heights.offset(anchor.index) + anchor.inner - this.headHeight - below)
  }

  /** Take another space above the first piece; what is seen stays, except at the very start. */
  setPaddingTop(padding: number): void {
    if (this.top > 0) {
      this.shift -= padding - this.paddingTop
    }
    this.paddingTop = padding
  }

  private setTop(top: number): void {
    this.slack = 0
    this.scrollTop = Math.max(0, Math.min(top, this.maxScroll))
    this.shift = 0
  }

  scrollToStart(): void {
    this.isPinned = false
    this.setTop(0)
  }

  scrollToEnd(): void {
    this.isPinned = true
    this.setTop(this.maxScroll)
  }

  /** The pieces on the screen and `beyond` pixels around it: first, and after the last. */
  visibleRange(above: number, below: number): [number, number] {
    if (this.heights.count === 0) return [0, 0]
    const y = this.top - this.paddingTop
    const first = this.heights.indexAt(Math.max(0, y - above))
    const last = this.heights.indexAt(Math.max(0, y + this.height + below))
    return [first, last + 1]
  }
}
