/**
 * The virtual list on the page: draws the pieces around the reader and keeps the first line.
 *
 * Boxes are placed by whole pixels inside a strip as high as all of them; only those on the
 * screen and a little around it exist. Every change of heights goes through `keeping`, which
 * measures where the anchor was and makes up for it before the browser paints.
 */
import { Boxes, type Filling, type Pieces } from './boxes'
import { estimate } from './estimate'
import { Heights } from './heights'
import { Hold } from './hold'
import { put, type Slot } from './slots'
import type { Landing } from './landing'
import { View, type Anchor } from './view'

export interface Hooks extends Filling {
  /** These pieces will be looked at soon; the one looked at now is `first`. */
  want(from: number, to: number, first: number): void
  /** The reader looks elsewhere now; `resting` when the scrolling has ended. */
  looked(resting: boolean): void
}

const TAIL = 120
const RESTS = 120
/** Folds that were open load what is in them within this time, and the place waits for it. */
const FIRM = 2_500

export class Stage {
  readonly view = new View(new Heights([]), 120, TAIL)
  private boxes: Boxes
  private sizes: ResizeObserver
  private width = 0
  private resting: ReturnType<typeof setTimeout> | undefined
  private hold: Hold
  /** Where a jump wants to be while its piece is not here yet; scrolling ends it. */
  private aim: { place: Anchor; below: number; isFirm: boolean } | null = null
  private firmness: ReturnType<typeof setTimeout> | undefined
  private redraw = 0

  constructor(
    private scroller: HTMLElement,
    private layer: HTMLElement,
    private strip: HTMLElement,
    private hooks: Hooks,
  ) {
    this.sizes = new ResizeObserver((entries) => this.resized(entries))
    this.sizes.observe(scroller)
    this.boxes = new Boxes(strip, this.sizes, hooks)
    const offset = (slot: Slot): number => this.view.heights.offset(slot.index)
    this.hold = new Hold(scroller, strip, (key) => this.boxes.get(key), offset)
    this.width = strip.clientWidth
    this.view.height = scroller.clientHeight
    scroller.addEventListener('scroll', this.scrolled, { passive: true })
  }

  destroy(): void {
    clearTimeout(this.resting)
    clearTimeout(this.firmness)
    cancelAnimationFrame(this.redraw)
    this.sizes.disconnect()
    this.scroller.removeEventListener('scroll', this.scrolled)
  }

  get isScrolling(): boolean {
    return this.resting !== undefined
  }

  /** Show other pieces; `place` tells where to look, null is the end. */
  show(pieces: Pieces, place: Landing | null): void {
    this.boxes.renumber(pieces)
    this.view.heights = new Heights(pieces.keys.map((_, index) => this.guess(index)))
    this.measureAll()
    if (place) {
      this.jump(place.anchor, place.below, place.isFirm)
    } else {
      this.toEnd()
    }
  }

  /** Let other pieces follow from a number on; what is read stays. */
  follow(pieces: Pieces, from: number): void {
    this.keeping(() => {
      this.boxes.renumber(pieces, from)
      const tail = pieces.keys.slice(from).map((_, place) => this.guess(from + place))
      this.view.heights.follow(from, tail)
      this.measureAll()
    })
    this.draw()
  }

  /** Look at a place below the head; drawn and measured before this returns. */
  jump(place: Anchor, below = 12, isFirm = false): void {
    this.rest()
    this.hold.forget()
    this.aim = { place, below, isFirm }
    const look = (): void => this.view.lookAt(place, place.index === 0 && place.inner <= 0 ? 1e6 : below)
    // The second time heights around the place are known.
    for (let times = 0; times < 2; times++) {
      look()
      this.settle()
      this.draw()
    }
    const landed = this.boxes.at(place.index)
    clearTimeout(this.firmness)
    if (isFirm) {
      this.firmness = setTimeout(() => {
        this.loosen()
        this.hooks.looked(true)
      }, FIRM)
    } else if (landed && landed.html !== null) {
      this.loosen()
    }
    this.hooks.looked(true)
  }

  /** The place of a jump is reached: from now on its first line is kept. */
  private loosen(): void {
    this.aim = null
    if (!this.isScrolling) {
      this.look()
    }
  }

  /** Look at a part of the whole. */
  lookAtPart(part: number): void {
    const { heights, extent, height, lead, cover } = this.view
    const y = Math.max(0, part * extent - height / 2 - lead + cover)
    const index = heights.at(y)
    this.jump({ index, inner: y - heights.offset(index) }, 0)
  }

  toEnd(): void {
    this.rest()
    this.hold.forget()
    this.aim = null
    this.view.toEnd()
    this.settle()
    this.draw()
    this.settle()
    this.hooks.looked(true)
  }

  /** Draw pieces again that arrived or changed. */
  refresh(keys: ReadonlySet<string> | null = null): void {
    this.keeping(() => {
      for (const slot of this.boxes.all()) {
        if (keys === null || keys.has(slot.key)) {
          this.boxes.dress(slot, this.view.heights.height(slot.index))
          this.measure(slot)
        }
      }
    })
    const aim = this.aim
    const landed = aim ? this.boxes.at(aim.place.index) : undefined
    if (aim && !aim.isFirm && landed && landed.html !== null) {
      this.jump(aim.place, aim.below)
    } else {
      this.draw()
    }
    if (!this.isScrolling) {
      this.look()
    }
  }

  /** Change something in the page and keep the first visible line through it. */
  holding(change: () => void): void {
    this.look()
    this.keeping(() => {
      change()
      this.measureAll()
    })
    this.draw()
  }

  scrollBy(pixels: number): void {
    this.aim = null
    this.scroller.scrollTop += pixels
  }

  /** Where the page is on the screen. */
  box(): DOMRect {
    return this.scroller.getBoundingClientRect()
  }

  /** The box of a piece, where it is drawn. */
  element(key: string): HTMLElement | null {
    return this.boxes.get(key)?.element ?? null
  }

  /** All boxes, from the top. */
  elements(): HTMLElement[] {
    return this.boxes.inOrder()
  }

  /** Something in the boxes that are drawn. */
  find(selector: string): Element | null {
    return this.boxes.find(selector)
  }

  /** Take another height of the head that floats over the page. */
  headed(cover: number, lead: number | null): void {
    // The head changes with the window: what that did to the words is made up for first.
    this.resized([])
    if (this.aim) {
      this.aim = { ...this.aim, below: this.aim.below + this.view.cover - cover }
    }
    this.view.cover = cover
    this.scroller.style.setProperty('scroll-padding-top', `${cover + 12}px`)
    this.hold.forget()
    if (lead !== null && lead !== this.view.lead) {
      this.view.leadBy(lead)
      this.draw()
      this.settle()
    }
    if (!this.isScrolling) {
      this.look()
    }
  }

  private guess(index: number): number {
    const { kinds, lines } = this.boxes.pieces
    return estimate(kinds[index] ?? '', lines[index] ?? 1, this.width)
  }

  private scrolled = (): void => {
    const scroll = this.scroller.scrollTop
    if (scroll === this.view.scroll) {
      return
    }
    this.hold.forget()
    this.aim = null
    clearTimeout(this.resting)
    this.resting = setTimeout(() => this.rest(), RESTS)
    if (this.view.scrolled(scroll)) {
      this.settle()
    }
    if (!this.view.pinned && this.view.isAtEnd) {
      this.view.pinned = true
    }
    this.draw()
    this.hooks.looked(false)
  }

  private rest(): void {
    if (this.resting === undefined) {
      return
    }
    clearTimeout(this.resting)
    this.resting = undefined
    this.catchUp()
    if (this.isScrolling) {
      return
    }
    this.settle()
    this.look()
    this.hooks.looked(true)
  }

  private look(): void {
    this.hold.take(this.view.cover)
  }

  private resized(entries: readonly ResizeObserverEntry[]): void {
    const width = this.strip.clientWidth
    const wider = width !== this.width
    const taller = this.scroller.clientHeight !== this.view.height
    if (!wider && !taller && !entries.some((entry) => this.isOther(entry.target))) {
      return
    }
    this.keeping(() => {
      if (wider) {
        this.width = width
        this.view.heights.doubt()
      }
      this.view.height = this.scroller.clientHeight
      this.measureAll()
    })
    this.place()
    // New boxes must not be made in here: the observer would report itself as a loop.
    cancelAnimationFrame(this.redraw)
    this.redraw = requestAnimationFrame(() => this.draw())
  }

  private isOther(element: Element): boolean {
    const slot = element instanceof HTMLElement ? this.boxes.get(element.dataset['piece']) : undefined
    return slot !== undefined && slot.html !== null && heightOf(slot) !== this.view.heights.height(slot.index)
  }

  /** Let heights change without moving the first visible line. */
  private keeping(change: () => void): void {
    const { view } = this
    this.catchUp()
    const held = view.pinned || this.isScrolling ? [] : this.hold.grips()
    if (this.isFirm) {
      change()
      this.aimAgain()
    } else if (held.length === 0) {
      const aimed = this.aim && this.aim.place.index < view.heights.count ? this.aim.place : null
      view.keep(aimed ?? view.keeper(), change)
    } else {
      change()
      view.shiftBy(this.hold.movedBy(held))
    }
    if (!this.isScrolling) {
      this.settle()
      if (held.length > 0) {
        this.look()
      }
    }
  }

  /** Whether a place that was left to the pixel is still being filled. */
  get isFirm(): boolean {
    return this.aim !== null && this.aim.isFirm && this.aim.place.index < this.view.heights.count
  }

  private aimAgain(): void {
    if (this.aim) {
      this.view.lookAt(this.aim.place, this.aim.below)
    }
  }

  /** Take over what the reader scrolled since the browser last told. */
  private catchUp(): void {
    if (this.scroller.scrollTop !== this.view.scroll) {
      this.scrolled()
    }
  }

  /** Make boxes for what is seen, measure them, and see whether more fit. */
  private draw(): void {
    const { view } = this
    for (let pass = 0; pass < 6; pass++) {
      const [from, to] = view.span(view.height, view.height * 1.5)
      const added = this.boxes.make(from, to, (index) => view.heights.height(index))
      if (added.length === 0) {
        break
      }
      this.keeping(() => {
        for (const slot of added) {
          this.measure(slot)
        }
      })
    }
    this.boxes.keepOnly(...view.span(view.height * 2, view.height * 2.5))
    this.place()
    const [from, to] = view.span(view.height * 2, view.height * 3)
    this.hooks.want(from, to, view.anchor().index)
  }

  private measureAll(): void {
    for (const slot of this.boxes.all()) {
      this.measure(slot)
    }
  }

  private measure(slot: Slot): void {
    if (slot.html !== null) {
      this.view.heights.measure(slot.index, heightOf(slot))
    }
  }

  private place(): void {
    const { view } = this
    this.layer.style.setProperty('height', `${view.extent}px`)
    this.strip.style.setProperty('transform', view.shift ? `translateY(${view.shift}px)` : 'none')
    for (const slot of this.boxes.all()) {
      put(slot, view.lead + view.heights.offset(slot.index))
    }
  }

  /** Turn the shift into a scroll position. */
  private settle(): void {
    const { view } = this
    const wanted = view.settle()
    this.place()
    if (this.scroller.scrollTop !== wanted) {
      this.scroller.scrollTop = wanted
      const taken = this.scroller.scrollTop
      // Screens with broken pixel ratios round scroll positions; the rest stays a shift.
      view.shift = taken - wanted
      view.scroll = taken
      this.place()
    }
  }
}

function heightOf(slot: Slot): number {
  return Math.floor(slot.element.getBoundingClientRect().height)
}
