/**
 * The virtual list on the page: draws the pieces around the reader and keeps the first line.
 *
 * Rows are placed by whole pixels inside a strip as high as all of them; only those on the
 * screen and a little around it exist. Every change of heights goes through `keepFirstLine`,
 * which measures where the anchor was and makes up for it before the browser paints. Why there
 * is a list of our own: docs/decisions/0014-own-virtual-list.md.
 */
import type { Landing } from '../position/landing'
import { AnchorLines } from './anchor'
import { JumpTarget } from './jump-target'
import { ListLayout, type ListElements } from './layout'
import type { PieceList, Row, RowContent } from './rows'
import type { Anchor, Viewport } from './viewport'

export interface ListEvents extends RowContent {
  /** These pieces will be looked at soon; the one looked at now is `first`. */
  onNeeded(from: number, to: number, first: number): void
  /** The reader looks elsewhere now; `isResting` when the scrolling has ended. */
  onMoved(isResting: boolean): void
}

const RESTS_AFTER = 120
/** A jump to the start shows all that is above the first piece. */
const ALL_ABOVE = 1e6

export class VirtualList {
  readonly view: Viewport
  private readonly scroller: HTMLElement
  private readonly layout: ListLayout
  private readonly lines: AnchorLines
  private readonly target = new JumpTarget()
  private readonly sizes: ResizeObserver
  private resting: ReturnType<typeof setTimeout> | undefined
  private redraw = 0

  constructor(
    elements: ListElements,
    private readonly events: ListEvents,
  ) {
    const { scroller, strip } = elements
    this.scroller = scroller
    this.sizes = new ResizeObserver((entries) => this.handleResize(entries))
    this.sizes.observe(scroller)
    this.layout = new ListLayout(elements, this.sizes, events)
    this.view = this.layout.view
    const offsetOf = (row: Row): number => this.view.heights.offset(row.index)
    this.lines = new AnchorLines(scroller, strip, (key) => this.layout.rows.get(key), offsetOf)
    scroller.addEventListener('scroll', this.handleScroll, { passive: true })
  }

  destroy(): void {
    clearTimeout(this.resting)
    this.target.stopWaiting()
    cancelAnimationFrame(this.redraw)
    this.sizes.disconnect()
    this.scroller.removeEventListener('scroll', this.handleScroll)
  }

  get isScrolling(): boolean {
    return this.resting !== undefined
  }

  /** Whether a place that was left to the pixel is still being filled. */
  get isExact(): boolean {
    return this.target.isExactAmong(this.view.heights.count)
  }

  /** Show other pieces; `landing` tells where to look, null is the end. */
  show(pieces: PieceList, landing: Landing | null): void {
    this.layout.setPieces(pieces)
    if (landing) {
      this.jumpTo(landing.anchor, landing.below, landing.isExact)
    } else {
      this.scrollToEnd()
    }
  }

  /** Take other pieces from a number on; what is read stays. */
  replaceFrom(pieces: PieceList, from: number): void {
    this.keepFirstLine(() => this.layout.replacePiecesFrom(pieces, from))
    this.draw()
  }

  /** Look at a place below the head; drawn and measured before this returns. */
  jumpTo(anchor: Anchor, below = 12, isExact = false): void {
    this.endScrolling()
    this.lines.clear()
    this.target.set(anchor, below, isExact)
    const isStart = anchor.index === 0 && anchor.inner <= 0
    // The second time heights around the place are known.
    for (let times = 0; times < 2; times++) {
      this.view.scrollToAnchor(anchor, isStart ? ALL_ABOVE : below)
      this.layout.settle()
      this.draw()
    }
    const row = this.layout.rows.at(anchor.index)
    this.target.stopWaiting()
    if (isExact) {
      this.target.releaseLater(() => {
        this.releaseTarget()
        this.events.onMoved(true)
      })
    } else if (row && row.html !== null) {
      this.releaseTarget()
    }
    this.events.onMoved(true)
  }

  /** The place of a jump is reached: from now on its first line is kept. */
  private releaseTarget(): void {
    this.target.clear()
    if (!this.isScrolling) {
      this.findLines()
    }
  }

  /** Look at a part of the whole, 0 to 1. */
  jumpToPart(part: number): void {
    const { heights, contentHeight, height, paddingTop, headHeight } = this.view
    const y = Math.max(0, part * contentHeight - height / 2 - paddingTop + headHeight)
    const index = heights.indexAt(y)
    this.jumpTo({ index, inner: y - heights.offset(index) }, 0)
  }

  scrollToEnd(): void {
    this.endScrolling()
    this.lines.clear()
    this.target.clear()
    this.view.scrollToEnd()
    this.layout.settle()
    this.draw()
    this.layout.settle()
    this.events.onMoved(true)
  }

  scrollBy(pixels: number): void {
    this.target.clear()
    this.scroller.scrollTop += pixels
  }

  /** Scroll so that something is well in sight, where it is not. */
  scrollIntoSight(box: DOMRect): void {
    const screen = this.screenBox()
    const top = screen.top + this.view.headHeight
    if (box.top < top + 24 || box.bottom > screen.bottom - 80) {
      this.scrollBy(box.top - top - (screen.bottom - top) / 3)
    }
  }

  /** Scroll by so many screens of what is seen below the head. */
  scrollByScreens(screens: number): void {
    this.scrollBy((this.view.height - this.view.headHeight) * screens)
  }

  /** Draw pieces again that arrived or changed; null is all of them. */
  refresh(keys: ReadonlySet<string> | null = null): void {
    this.keepFirstLine(() => {
      for (const row of this.layout.rows.all()) {
        if (keys === null || keys.has(row.key)) {
          this.layout.rows.update(row, this.view.heights.height(row.index))
          this.layout.measure([row])
        }
      }
    })
    const target = this.target.current
    const row = target ? this.layout.rows.at(target.anchor.index) : undefined
    if (target && !target.isExact && row && row.html !== null) {
      this.jumpTo(target.anchor, target.below)
    } else {
      this.draw()
    }
    if (!this.isScrolling) {
      this.findLines()
    }
  }

  /** Change something in the page and keep the first visible line through it. */
  changeContent(change: () => void): void {
    this.findLines()
    this.keepFirstLine(() => {
      change()
      this.layout.measureAll()
    })
    this.draw()
  }

  /** Where the page is on the screen. */
  screenBox(): DOMRect {
    return this.scroller.getBoundingClientRect()
  }

  /** The element of a piece, where it is drawn. */
  element(key: string): HTMLElement | null {
    return this.layout.rows.get(key)?.element ?? null
  }

  /** The elements of all pieces that are drawn, from the top. */
  elements(): HTMLElement[] {
    return this.layout.rows.elementsInOrder()
  }

  /** Something in the pieces that are drawn. */
  find(selector: string): Element | null {
    return this.layout.rows.find(selector)
  }

  /** Take another height of the head that floats over the page, and of the space above the first piece. */
  setHead(headHeight: number, paddingTop: number | null): void {
    // The head changes with the window: what that did to the words is made up for first.
    this.handleResize([])
    this.target.moveBelow(this.view.headHeight - headHeight)
    this.view.headHeight = headHeight
    this.scroller.style.setProperty('scroll-padding-top', `${headHeight + 12}px`)
    this.lines.clear()
    if (paddingTop !== null && paddingTop !== this.view.paddingTop) {
      this.view.setPaddingTop(paddingTop)
      this.draw()
      this.layout.settle()
    }
    if (!this.isScrolling) {
      this.findLines()
    }
  }

  private handleScroll = (): void => {
    const { scrollTop } = this.scroller
    if (scrollTop === this.view.scrollTop) {
      return
    }
    this.lines.clear()
    this.target.clear()
    clearTimeout(this.resting)
    this.resting = setTimeout(() => this.endScrolling(), RESTS_AFTER)
    if (this.view.noteScroll(scrollTop)) {
      this.layout.settle()
    }
    if (!this.view.isPinned && this.view.isAtEnd) {
      this.view.isPinned = true
    }
    this.draw()
    this.events.onMoved(false)
  }

  private endScrolling(): void {
    if (this.resting === undefined) {
      return
    }
    clearTimeout(this.resting)
    this.resting = undefined
    this.readScroll()
    if (this.isScrolling) {
      return
    }
    this.layout.settle()
    this.findLines()
    this.events.onMoved(true)
  }

  private findLines(): void {
    this.lines.find(this.view.headHeight)
  }

  private handleResize(entries: readonly ResizeObserverEntry[]): void {
    const { layout } = this
    if (!layout.isResized && !entries.some((entry) => layout.hasOtherHeight(entry.target))) {
      return
    }
    this.keepFirstLine(() => layout.readSize())
    this.layout.placeRows()
    // New rows must not be made in here: the observer would report itself as a loop.
    cancelAnimationFrame(this.redraw)
    this.redraw = requestAnimationFrame(() => this.draw())
  }

  /** Let heights change without moving the first visible line. */
  private keepFirstLine(change: () => void): void {
    const { view } = this
    this.readScroll()
    const positions = view.isPinned || this.isScrolling ? [] : this.lines.positions()
    const target = this.target.current
    if (this.isExact && target) {
      change()
      view.scrollToAnchor(target.anchor, target.below)
    } else if (positions.length === 0) {
      const anchor = target && target.anchor.index < view.heights.count ? target.anchor : null
      view.keepAnchor(anchor ?? view.anchorToKeep(), change)
    } else {
      change()
      view.undoMove(this.lines.distanceMoved(positions))
    }
    if (!this.isScrolling) {
      this.layout.settle()
      if (positions.length > 0) {
        this.findLines()
      }
    }
  }

  /** Take over what the reader scrolled since the browser last told. */
  private readScroll(): void {
    if (this.scroller.scrollTop !== this.view.scrollTop) {
      this.handleScroll()
    }
  }

  /** Make rows for what is seen, measure them, and see whether more fit. */
  private draw(): void {
    const { view } = this
    for (let pass = 0; pass < 6; pass++) {
      const [from, to] = view.visibleRange(view.height, view.height * 1.5)
      const added = this.layout.rows.addMissing(from, to, (index) => view.heights.height(index))
      if (added.length === 0) {
        break
      }
      this.keepFirstLine(() => this.layout.measure(added))
    }
    this.layout.rows.removeOutside(...view.visibleRange(view.height * 2, view.height * 2.5))
    this.layout.placeRows()
    const [from, to] = view.visibleRange(view.height * 2, view.height * 3)
    this.events.onNeeded(from, to, view.firstVisible().index)
  }
}
