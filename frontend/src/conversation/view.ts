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
const READING = 32

export class View {
  /** What the browser says. */
  scroll = 0
  /** By how much the content is moved down to make up for it. */
  shift = 0
  height = 0
  pinned = false
  /** How much of the top of the screen is covered by the head that floats over it. */
  cover = 0
  /** Room kept below the end so that a fold closed near it does not pull the page down. */
  private slack = 0

  constructor(
    public heights: Heights,
    /** Room above the first and below the last piece. */
    public lead: number,
    readonly tail: number,
  ) {}

  /** How high everything is, room included. */
  get extent(): number {
    return this.height + this.furthest
  }

  /** The last scroll position. */
  get furthest(): number {
    return this.end + this.slack
  }

  get isAtEnd(): boolean {
    return this.slack === 0 && this.scroll >= this.end - 1
  }

  private get end(): number {
    return Math.max(0, this.lead + this.heights.total + this.tail - this.height)
  }

  /** The place of the content that is at the top of the screen. */
  get top(): number {
    return this.scroll - this.shift
  }

  /** Where a piece begins on the screen. */
  onScreen(index: number): number {
    return this.lead + this.heights.offset(index) - this.top
  }

  /** The first piece that is seen, and how much of it is above. */
  anchor(): Anchor {
    const y = this.top + this.cover - this.lead
    const index = this.heights.at(Math.max(0, y))
    return { index, inner: y - this.heights.offset(index) }
  }

  /** The piece that is being read: the one a little below the head, where a jump lands. */
  reading(): Anchor {
    const y = this.top + this.cover - this.lead
    const index = this.heights.at(Math.max(0, y + READING))
    return { index, inner: y - this.heights.offset(index) }
  }

  /**
   * The piece whose top has to stay. One that is not laid out yet and comes in from above may
   * become any height: what is to stay then is the piece below it.
   */
  keeper(): Anchor {
    const { index, inner } = this.anchor()
    const coming = inner > 0 && !this.heights.isMeasured(index) && index + 1 < this.heights.count
    return coming ? { index: index + 1, inner: 0 } : { index, inner }
  }

  /** The browser scrolled; tells whether the shift has to be settled because an end is near. */
  scrolled(scroll: number): boolean {
    const up = scroll < this.scroll
    this.scroll = scroll
    if (up) {
      this.pinned = false
      this.slack = Math.min(this.slack, Math.max(0, this.top - this.end))
    }
    return this.shift !== 0 && (scroll <= 0 || scroll >= this.furthest || this.top < 0)
  }

  /**
   * Let heights change, and keep the anchor's line where it is. `grown` is by how much the
   * anchor's line moved inside its own piece.
   */
  keep(anchor: Anchor, change: () => void, grown = 0): void {
    const before = this.heights.offset(anchor.index)
    change()
    if (this.pinned) {
      this.slack = 0
      this.shift = this.scroll - this.furthest
      return
    }
    this.shiftBy(this.heights.offset(anchor.index) + grown - before)
  }

  /** What is seen moved down by so much; take it back. */
  shiftBy(moved: number): void {
    this.shift -= moved
    this.slack = Math.max(0, this.top - this.end)
  }

  /** Make the shift a scroll position; tells which the browser should take. */
  settle(): number {
    const wanted = this.pinned ? this.furthest : this.top
    this.scroll = Math.max(0, Math.min(wanted, this.furthest))
    this.shift = 0
    return this.scroll
  }

  /** Look at a place, `below` pixels under the head. */
  lookAt(anchor: Anchor, below = 0): void {
    this.pinned = false
    this.place(this.lead + this.heights.offset(anchor.index) + anchor.inner - this.cover - below)
  }

  /** Take another room above the first piece; what is seen stays, except at the very start. */
  leadBy(lead: number): void {
    if (this.top > 0) {
      this.shift -= lead - this.lead
    }
    this.lead = lead
  }

  private place(top: number): void {
    this.slack = 0
    this.scroll = Math.max(0, Math.min(top, this.furthest))
    this.shift = 0
  }

  toStart(): void {
    this.pinned = false
    this.place(0)
  }

  toEnd(): void {
    this.pinned = true
    this.place(this.furthest)
  }

  /** The pieces on the screen and `beyond` pixels around it: first, and after the last. */
  span(above: number, below: number): [number, number] {
    if (this.heights.count === 0) return [0, 0]
    const y = this.top - this.lead
    const first = this.heights.at(Math.max(0, y - above))
    const last = this.heights.at(Math.max(0, y + this.height + below))
    return [first, last + 1]
  }
}
