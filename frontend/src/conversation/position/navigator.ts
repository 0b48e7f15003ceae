/** Goes to places of the open conversation. What is not here is fetched first, so that nothing flickers. */
import { fetchPieces } from '../data/requests'
import type { OpenConversation } from '../open-conversation.svelte'
import type { Landing } from './landing'

/** So many pieces are fetched with the one that is gone to: above it, and before the end. */
const BEFORE = 6
const LAST = 18
const FETCHED = 24
/** What does not come within this time is waited for on the screen. */
const PATIENCE = 150

export class Navigator {
  /** The piece one came for; a short page cannot be scrolled to it. */
  landed = -1
  /** Counts where one went: an answer that comes after the next step leads nowhere. */
  private moves = 0

  constructor(private readonly page: OpenConversation) {}

  /** Show the data that has come, at a place or at the end. */
  show(landing: Landing | null): void {
    const { list, data } = this.page
    if (!list || !data) {
      return
    }
    list.show(data, landing)
    this.noteLanded(landing)
  }

  /** Go to a piece. */
  async jumpTo(index: number, below = 12): Promise<void> {
    await this.goToLanding({ anchor: { index, inner: 0 }, below })
  }

  /** Go to a place, else to the end. */
  async goToLanding(landing: Landing | null): Promise<void> {
    const move = ++this.moves
    const index = landing?.anchor.index ?? this.count - 1
    const key = this.keyOf(index)
    if (key === undefined) {
      return
    }
    await this.ensureFetched(index, Math.max(0, index - (landing ? BEFORE : LAST)))
    if (move !== this.moves || this.keyOf(index) !== key) {
      return
    }
    if (landing) {
      this.page.list?.jumpTo(landing.anchor, landing.below, landing.isExact)
    } else {
      this.page.list?.scrollToEnd()
    }
    this.noteLanded(landing)
  }

  async goToStart(): Promise<void> {
    await this.jumpTo(0)
  }

  async goToEnd(): Promise<void> {
    await this.goToLanding(null)
  }

  /** Look at a part of the whole, as the map does. */
  goToPart(part: number): void {
    this.page.list?.jumpToPart(part)
    this.page.position.noteDrawn()
  }

  /** Follow live, or stop following. */
  async setFollowing(isOn: boolean): Promise<void> {
    const { list, position } = this.page
    if (isOn) {
      await this.goToEnd()
    } else if (list) {
      list.view.isPinned = false
      position.isFollowing = false
    }
  }

  /** Both ends are one key away: they are fetched before anybody asks. */
  async fetchEnds(): Promise<void> {
    await this.ensureFetched(0, 0)
    const last = this.count - 1
    await this.ensureFetched(last, Math.max(0, last - LAST))
  }

  private get count(): number {
    return this.page.data?.keys.length ?? 0
  }

  private keyOf(index: number): string | undefined {
    return this.page.data?.keys[index]
  }

  private noteLanded(landing: Landing | null): void {
    this.landed = landing?.anchor.index ?? -1
    this.page.position.noteDrawn()
    this.page.repaint()
  }

  /** Fetch pieces from a number on if one of them is not here; it is not waited for long. */
  private async ensureFetched(index: number, from: number): Promise<void> {
    const key = this.keyOf(index)
    if (key !== undefined && !this.page.pieces.has(key)) {
      await Promise.race([this.fetch(from), new Promise((resolve) => setTimeout(resolve, PATIENCE))])
    }
  }

  private async fetch(from: number): Promise<void> {
    const { page } = this
    try {
      page.pieces.put((await fetchPieces(page.ref, from, FETCHED, page.data?.revision ?? '')).pieces)
    } catch {
      // The list asks again and says so where it fails.
    }
  }
}
