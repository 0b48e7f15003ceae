/**
 * Rendered pieces, by key: what was lately looked at is kept, what is far is dropped.
 *
 * Pieces are asked for by page. Newest wishes go first, because after a fling only the place
 * where it ends is of interest; wishes that were overtaken are forgotten, not sent.
 */
import type { PieceHtml } from '../wire'

export const PAGE = 40
const TOGETHER = 2

export interface Limits {
  /** Characters of HTML that are kept. */
  readonly room: number
}

export type Fetch = (from: number, count: number) => Promise<readonly PieceHtml[]>

export class Shelf {
  private pieces = new Map<string, string>()
  private filled = 0
  private asked = new Set<number>()
  private failed = new Set<number>()
  private wishes: number[] = []
  private era = 0

  constructor(
    private fetch: Fetch,
    private arrived: (pieces: readonly PieceHtml[]) => void,
    private limits: Limits = { room: 10_000_000 },
  ) {}

  get size(): number {
    return this.filled
  }

  html(key: string): string | undefined {
    const html = this.pieces.get(key)
    if (html !== undefined) {
      this.pieces.delete(key)
      this.pieces.set(key, html)
    }
    return html
  }

  has(key: string): boolean {
    return this.pieces.has(key)
  }

  put(pieces: readonly PieceHtml[]): void {
    for (const { key, html } of pieces) {
      this.drop(key)
      this.pieces.set(key, html)
      this.filled += html.length
    }
    for (const key of this.pieces.keys()) {
      if (this.filled <= this.limits.room) {
        break
      }
      this.drop(key)
    }
  }

  drop(key: string): void {
    const html = this.pieces.get(key)
    if (html !== undefined) {
      this.filled -= html.length
      this.pieces.delete(key)
    }
  }

  /** Numbers are other than before: answers under way are kept by key, not asked again. */
  renumber(): void {
    this.era += 1
    this.asked.clear()
    this.failed.clear()
    this.wishes = []
  }

  /** Everything is other than before. */
  clear(): void {
    this.renumber()
    this.pieces.clear()
    this.filled = 0
  }

  isFailed(number: number): boolean {
    return this.failed.has(pageOf(number))
  }

  /** Ask for the pieces of a stretch that are not here; the page of `first` goes first. */
  want(keys: readonly string[], from: number, to: number, first = from): void {
    const pages = new Set<number>()
    for (let number = Math.max(0, from); number < Math.min(to, keys.length); number++) {
      const key = keys[number]
      const page = pageOf(number)
      if (key !== undefined && !this.pieces.has(key) && !this.asked.has(page) && !this.failed.has(page)) {
        pages.add(page)
      }
    }
    const near = pageOf(first)
    this.wishes = [...pages].sort((one, other) => Math.abs(one - near) - Math.abs(other - near))
    this.next()
  }

  /** Ask once more for what could not be had. */
  again(number: number, keys: readonly string[]): void {
    this.failed.delete(pageOf(number))
    this.want(keys, number, number + 1)
  }

  private next(): void {
    while (this.asked.size < TOGETHER) {
      const page = this.wishes.shift()
      if (page === undefined) {
        return
      }
      void this.ask(page)
    }
  }

  private async ask(page: number): Promise<void> {
    const era = this.era
    this.asked.add(page)
    try {
      const pieces = await this.fetch(page * PAGE, PAGE)
      this.put(pieces)
      this.end(page, era)
      this.arrived(pieces)
    } catch {
      this.end(page, era)
      if (era === this.era) {
        this.failed.add(page)
        this.arrived([])
      }
    }
    this.next()
  }

  private end(page: number, era: number): void {
    if (era === this.era) {
      this.asked.delete(page)
    }
  }
}

export function pageOf(number: number): number {
  return Math.floor(number / PAGE)
}
