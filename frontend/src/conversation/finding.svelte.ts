/**
 * Find in a conversation: where words stand, which of them one is at, and the marks.
 *
 * The server knows every place, folded or not loaded; the page opens what is on the way to the
 * one that is looked at and closes it again when the reader goes on.
 */
import { isAbort, sentence } from '../api'
import { conversation, go } from '../routes'
import { askFind } from './asking'
import { isSeen, paint, rangesOf, rangesOfAny, unpaint } from './marking'
import type { Reader } from './reader.svelte'
import { spotFrom, spotsOf, type Spot } from './spots'

const TYPING = 120

export class Finding {
  isOpen = $state(false)
  words = $state('')
  scope = $state<'branch' | 'all'>('branch')
  spots = $state.raw<readonly Spot[]>([])
  at = $state(-1)
  /** All places there are; the server names only so many. */
  private total = 0
  isBusy = $state(false)
  trouble = $state('')
  /** Words that are marked though nobody opened the bar: those of a search one came from. */
  brought = $state.raw<readonly string[]>([])
  private asking: AbortController | null = null
  private typing: ReturnType<typeof setTimeout> | undefined
  private opened: string[] = []
  private wanted: Range | null = null
  /** The branch the places were asked for, by its address and by its tip. */
  private asked: { tip: string | null; told: string | null } = { tip: null, told: null }
  private coming: Spot | null = null
  private broughtTo = ''
  private times = 0

  constructor(private reader: Reader) {}

  /** "3 of 41", or why there is none. */
  get count(): string {
    if (this.trouble) {
      return this.trouble
    }
    if (!this.words.trim()) {
      return ''
    }
    if (this.spots.length === 0) {
      return this.isBusy ? '' : 'No place'
    }
    const all = Math.max(this.total, this.spots.length)
    return `${(this.at + 1).toLocaleString('en')} of ${all.toLocaleString('en')}`
  }

  /** Pieces with hits, for the map. */
  get numbers(): number[] {
    const here = this.reader.told?.tip ?? null
    return this.spots
      .filter((spot) => (spot.hit.tip ?? this.asked.told) === here)
      .map((spot) => spot.hit.number)
  }

  open(): void {
    this.isOpen = true
    this.brought = []
    if (this.words) {
      this.type(this.words)
    }
  }

  close(): void {
    clearTimeout(this.typing)
    this.asking?.abort()
    this.isOpen = false
    this.spots = []
    this.at = -1
    this.wanted = null
    this.closeFolds()
    unpaint()
  }

  type(words: string): void {
    this.words = words
    clearTimeout(this.typing)
    this.typing = setTimeout(() => void this.ask(), TYPING)
  }

  setScope(scope: 'branch' | 'all'): void {
    this.scope = scope
    void this.ask()
  }

  private async ask(): Promise<void> {
    this.asking?.abort()
    this.asking = new AbortController()
    this.trouble = ''
    if (!this.words.trim()) {
      this.spots = []
      this.at = -1
      this.repaint()
      return
    }
    this.isBusy = true
    this.asked = { tip: this.reader.where.tip, told: this.reader.told?.tip ?? null }
    try {
      const answer = await askFind(this.reader.where, this.words, this.scope, this.asking.signal)
      this.spots = spotsOf(answer.hits)
      this.total = answer.total
      this.at = this.spots.length ? spotFrom(this.spots, this.reader.current) : -1
      await this.show()
    } catch (error) {
      if (!isAbort(error)) {
        this.trouble = sentence(error)
      }
    } finally {
      this.isBusy = false
    }
  }

  /** Go to the next or previous place; beyond the last is the first again. */
  async step(by: 1 | -1): Promise<boolean> {
    if (this.spots.length === 0) {
      return false
    }
    this.at = (this.at + by + this.spots.length) % this.spots.length
    await this.show()
    return true
  }

  private async show(): Promise<void> {
    const spot = this.spots[this.at]
    this.wanted = null
    if (!spot) {
      this.closeFolds()
      this.repaint()
      return
    }
    const wanted = spot.hit.tip ?? this.asked.told
    if (wanted !== null && wanted !== this.reader.told?.tip) {
      const { session, agent } = this.reader.where
      const tip = spot.hit.tip ?? this.asked.tip
      this.coming = spot
      this.reader.note()
      go(conversation(session, { tip, agent, at: spot.hit.uuid }))
      return
    }
    await this.reveal(spot)
  }

  /** Another branch is open now: go to the place it was opened for. */
  async arrived(): Promise<void> {
    const spot = this.coming
    this.coming = null
    if (spot) {
      await this.reveal(spot)
    }
  }

  private async reveal({ hit, nth }: Spot): Promise<void> {
    const { reader } = this
    const key = reader.told?.keys[hit.number]
    if (key === undefined) {
      return
    }
    const isThere = this.isOnScreen(key)
    this.closeFolds(hit.opens)
    if (!isThere) {
      await reader.jump(hit.number, 24)
    }
    await this.openFolds(key, hit.opens)
    const element = reader.stage?.element(key)
    const inside = element?.querySelector(`[data-key="${CSS.escape(hit.key)}"]`) ?? element
    const seen = inside ? rangesOf(inside, this.words).filter(isSeen) : []
    const all = seen.length || !element ? seen : rangesOf(element, this.words).filter(isSeen)
    this.wanted = all[Math.min(nth, all.length - 1)] ?? null
    this.repaint()
    this.scrollTo(this.wanted)
  }

  private isOnScreen(key: string): boolean {
    return this.reader.stage?.element(key)?.querySelector('.piece') != null
  }

  private async openFolds(key: string, opens: readonly string[]): Promise<void> {
    for (const name of opens) {
      const fold = this.reader.stage?.element(key)?.querySelector(`details[data-key="${CSS.escape(name)}"]`)
      if (fold instanceof HTMLDetailsElement && !fold.open) {
        this.opened.push(name)
        await this.reader.folds.set(fold, true)
      }
    }
  }

  /** Close what was opened on the way to a place, except what the next one needs. */
  private closeFolds(except: readonly string[] = []): void {
    for (const name of this.opened.splice(0).reverse()) {
      if (except.includes(name)) {
        this.opened.unshift(name)
      } else {
        this.closeFold(name)
      }
    }
  }

  private closeFold(key: string): void {
    const { stage, folds } = this.reader
    const found = stage?.find(`details[data-key="${CSS.escape(key)}"]`)
    if (found instanceof HTMLDetailsElement) {
      void folds.set(found, false)
    } else {
      folds.forget(key)
    }
  }

  private scrollTo(range: Range | null): void {
    const { stage } = this.reader
    const box = range?.getBoundingClientRect()
    const screen = stage?.box()
    if (!stage || !box || !screen) {
      return
    }
    const top = screen.top + stage.view.cover
    if (box.top < top + 24 || box.bottom > screen.bottom - 80) {
      stage.scrollBy(box.top - top - (screen.bottom - top) / 3)
    }
  }

  /** Mark the words in everything that is drawn. */
  repaint(): void {
    const words = this.isOpen && this.words.trim() ? [this.words] : this.brought
    if (words.length === 0) {
      unpaint()
      return
    }
    const ranges = (this.reader.stage?.elements() ?? []).flatMap((element) => rangesOfAny(element, words))
    const current = this.wanted && this.wanted.startContainer.isConnected ? this.wanted : null
    paint(ranges, current)
  }

  /** Come from a search: mark its words, and go to the first of them in the message. */
  async bring(words: readonly string[], uuid: string | null): Promise<void> {
    this.brought = words
    const { reader } = this
    const index = !uuid || !reader.told ? -1 : reader.landed >= 0 ? reader.landed : reader.current
    this.repaint()
    const key = reader.told?.keys[index]
    const element = key === undefined ? null : (reader.stage?.element(key) ?? null)
    if (!element) {
      return
    }
    const all = rangesOfAny(element, words)
    let found = all.find(isSeen) ?? null
    if (!found) {
      await this.unfoldTo(words, key ?? '')
      found = rangesOfAny(element, words).find(isSeen) ?? null
    }
    // Two hits in one message are two places in it.
    const seen = rangesOfAny(element, words).filter(isSeen)
    this.times = this.broughtTo === key ? this.times + 1 : 0
    this.broughtTo = key ?? ''
    this.wanted = seen[this.times % Math.max(1, seen.length)] ?? found
    this.repaint()
    this.scrollTo(this.wanted)
  }

  /** The words are folded away or not loaded: ask where they are, and open the way. */
  private async unfoldTo(words: readonly string[], key: string): Promise<void> {
    for (const word of words) {
      const answer = await askFind(this.reader.where, word, 'branch').catch(() => null)
      const hit = answer?.hits.find((one) => this.reader.told?.keys[one.number] === key)
      if (hit) {
        await this.openFolds(key, hit.opens)
        this.opened = []
        return
      }
    }
  }
}
