/**
 * Rendered pieces, by key: what was lately looked at is kept, what is far is dropped.
 *
 * Pieces are asked for by page. The newest requests go first, because after a fling only the place
 * where it ends is of interest; requests that were overtaken are forgotten, not sent.
 */
import type { PieceHtml } from '../../wire'

export const PAGE = 40
const AT_ONCE = 2

export interface CacheLimits {
  /** Characters of HTML that are kept. */
  readonly characters: number
}

export type FetchPieces = (from: number, count: number) => Promise<readonly PieceHtml[]>

export class PieceCache {
  private pieces = new Map<string, string>()
  private characters = 0
  private requested = new Set<number>()
  private failed = new Set<number>()
  private queue: number[] = []
  private generation = 0

  constructor(
    private fetch: FetchPieces,
    private onArrived: (pieces: readonly PieceHtml[]) => void,
    private limits: CacheLimits = { characters: 10_000_000 },
  ) {}

  get size(): number {
    return this.characters
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
      this.characters += html.length
    }
    for (const key of this.pieces.keys()) {
      if (this.characters <= this.limits.characters) {
        break
      }
      this.drop(key)
    }
  }

  drop(key: string): void {
    const html = this.pieces.get(key)
    if (html !== undefined) {
      this.characters -= html.length
      this.pieces.delete(key)
    }
  }

  /** Numbers are other than before: answers under way are kept by key, not asked again. */
  renumber(): void {
    this.generation += 1
    this.requested.clear()
    this.failed.clear()
    this.queue = []
  }

  /** Everything is other than before. */
  clear(): void {
    this.renumber()
    this.pieces.clear()
    this.characters = 0
  }

  isFailed(number: number): boolean {
    return this.failed.has(pageNumber(number))
  }

  /** Ask for the pieces of a stretch that are not here; the page of `first` goes first. */
  request(keys: readonly string[], from: number, to: number, first = from): void {
    const pages = new Set<number>()
    for (let number = Math.max(0, from); number < Math.min(to, keys.length); number++) {
      const key = keys[number]
      const page = pageNumber(number)
      if (key !== undefined && !this.pieces.has(key) && !this.requested.has(page) && !this.failed.has(page)) {
        pages.add(page)
      }
    }
    const near = pageNumber(first)
    this.queue = [...pages].sort((one, other) => Math.abs(one - near) - Math.abs(other - near))
    this.fetchNext()
  }

  /** Ask once more for what could not be had. */
  retry(number: number, keys: readonly string[]): void {
    this.failed.delete(pageNumber(number))
    this.request(keys, number, number + 1)
  }

  private fetchNext(): void {
    while (this.requested.size < AT_ONCE) {
      const page = this.queue.shift()
      if (page === undefined) {
        return
      }
      void this.fetchPage(page)
    }
  }

  private async fetchPage(page: number): Promise<void> {
    const generation = this.generation
    this.requested.add(page)
    try {
      const pieces = await this.fetch(page * PAGE, PAGE)
      this.put(pieces)
      this.endRequest(page, generation)
      this.onArrived(pieces)
    } catch {
      this.endRequest(page, generation)
      if (generation === this.generation) {
        this.failed.add(page)
        this.onArrived([])
      }
    }
    this.fetchNext()
  }

  private endRequest(page: number, generation: number): void {
    if (generation === this.generation) {
      this.requested.delete(page)
    }
  }
}

export function pageNumber(number: number): number {
  return Math.floor(number / PAGE)
}
