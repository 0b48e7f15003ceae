/**
 * The boxes that exist: made when a piece comes near, filled when it is here, taken away when
 * it is far. Where they stand is the stage's business.
 */
import { boxesInUse, fail, fill, slotFor, wait, type Slot } from './slots'

/** What is shown, by piece number. */
export interface Pieces {
  readonly keys: readonly string[]
  readonly kinds: readonly string[]
  readonly lines: readonly number[]
}

export interface Filling {
  html(key: string): string | undefined
  isFailed(number: number): boolean
  /** A box was filled: folds, marks. */
  filled(element: HTMLElement, key: string): void
}

export class Boxes {
  pieces: Pieces = { keys: [], kinds: [], lines: [] }
  private slots = new Map<string, Slot>()

  constructor(
    private strip: HTMLElement,
    private sizes: ResizeObserver,
    private filling: Filling,
  ) {}

  get(key: string | undefined): Slot | undefined {
    return key === undefined ? undefined : this.slots.get(key)
  }

  /** The box of a piece by its number. */
  at(number: number): Slot | undefined {
    return this.get(this.pieces.keys[number])
  }

  all(): Slot[] {
    return [...this.slots.values()]
  }

  /** All of them, from the top. */
  inOrder(): HTMLElement[] {
    return this.all()
      .sort((one, other) => one.index - other.index)
      .map((slot) => slot.element)
  }

  /** Something in the boxes. */
  find(selector: string): Element | null {
    return this.strip.querySelector(selector)
  }

  /** Take other pieces; boxes of pieces that are not among them go. */
  renumber(pieces: Pieces, from = 0): void {
    this.pieces = pieces
    const numbers = new Map(pieces.keys.slice(from).map((key, place) => [key, from + place]))
    for (const slot of this.all().filter((one) => one.index >= from)) {
      slot.index = numbers.get(slot.key) ?? -1
      if (slot.index < 0) {
        this.remove(slot)
      }
    }
  }

  /** Make what is missing of a stretch; tells which were made. */
  make(from: number, to: number, heightOf: (number: number) => number): Slot[] {
    const made: Slot[] = []
    for (let index = from; index < to; index++) {
      const key = this.pieces.keys[index]
      if (key === undefined || this.slots.has(key)) {
        continue
      }
      const slot = slotFor(key, index)
      this.dress(slot, heightOf(index))
      // Reading aloud, Tab and selections follow the order in the page, so it is that of the pieces.
      this.strip.insertBefore(slot.element, this.behind(index)?.element ?? null)
      this.slots.set(key, slot)
      made.push(slot)
    }
    for (const slot of made) {
      this.sizes.observe(slot.element)
    }
    return made
  }

  /** The nearest box behind a number. */
  private behind(number: number): Slot | undefined {
    let found: Slot | undefined
    for (const slot of this.slots.values()) {
      if (slot.index > number && slot.index < (found?.index ?? Infinity)) {
        found = slot
      }
    }
    return found
  }

  /** Put into a box what there is of its piece. */
  dress(slot: Slot, height: number): void {
    const html = this.filling.html(slot.key)
    if (html !== undefined) {
      if (html !== slot.html) {
        slot.element.removeAttribute('aria-hidden')
        fill(slot, html)
        this.filling.filled(slot.element, slot.key)
      }
    } else if (slot.html === null && this.filling.isFailed(slot.index)) {
      fail(slot)
    } else if (slot.html === null) {
      wait(slot, height)
    }
  }

  /** Take away boxes outside a stretch, except one somebody is in. */
  keepOnly(from: number, to: number): void {
    const far = this.all().filter((slot) => slot.index < from || slot.index >= to)
    const used = far.length ? boxesInUse() : new Set()
    for (const slot of far) {
      if (!used.has(slot.element)) {
        this.remove(slot)
      }
    }
  }

  private remove(slot: Slot): void {
    this.sizes.unobserve(slot.element)
    slot.element.remove()
    this.slots.delete(slot.key)
  }
}
