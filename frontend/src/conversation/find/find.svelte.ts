/**
 * Find in a conversation: where words stand, which of them one is at, and the marks.
 *
 * The server knows every place, folded or not loaded; the page opens what is on the way to the
 * one that is looked at and closes it again when the page goes on.
 */
import { isAbort, describeError } from '../../api'
import { conversationAddress, goTo } from '../../routes.svelte'
import { fetchMatches } from '../data/requests'
import type { OpenConversation } from '../open-conversation.svelte'
import {
  clearHighlights,
  findRanges,
  findRangesOfAny,
  isVisible,
  paintHighlights,
  scrollLineTo,
} from './highlights'
import { findMatchFrom, listMatches, type Match } from './matches'
import { findSaidPlace } from './said-place'

const TYPING_PAUSE = 120

export class FindInConversation {
  isOpen = $state(false)
  words = $state('')
  scope = $state<'branch' | 'all'>('branch')
  matches = $state.raw<readonly Match[]>([])
  at = $state(-1)
  /** All places there are; the server names only so many. */
  private total = 0
  isBusy = $state(false)
  trouble = $state('')
  /** Words that are marked though nobody opened the bar: those of a search one came from. */
  searchWords = $state.raw<readonly string[]>([])
  /** Whether the message was come to from a search: its bar stays until it is closed. */
  isFromSearch = $state(false)
  private request: AbortController | null = null
  private typing: ReturnType<typeof setTimeout> | undefined
  private openedFolds: string[] = []
  private wantedRange: Range | null = null
  /** The branch the places were asked for, by its address and by its tip. */
  private asked: { tip: string | null; shownTip: string | null } = { tip: null, shownTip: null }
  private pending: Match | null = null
  private searchKey = ''
  private searchVisits = 0

  constructor(private page: OpenConversation) {}

  /** "3 of 41", or why there is none. */
  get countText(): string {
    if (this.trouble) {
      return this.trouble
    }
    if (!this.words.trim()) {
      return ''
    }
    if (this.matches.length === 0) {
      return this.isBusy ? '' : 'No place'
    }
    const all = Math.max(this.total, this.matches.length)
    return `${(this.at + 1).toLocaleString('en')} of ${all.toLocaleString('en')}`
  }

  /** Pieces with hits, for the map. */
  get pieceNumbers(): number[] {
    const here = this.page.data?.tip ?? null
    return this.matches
      .filter((match) => (match.hit.tip ?? this.asked.shownTip) === here)
      .map((match) => match.hit.number)
  }

  open(): void {
    this.isOpen = true
    this.searchWords = []
    if (this.words) {
      this.setWords(this.words)
    }
  }

  close(): void {
    clearTimeout(this.typing)
    this.request?.abort()
    this.isOpen = false
    this.matches = []
    this.at = -1
    this.wantedRange = null
    this.closeFolds()
    this.page.reveal(null)
    clearHighlights()
  }

  /** Stop reading hits of a search: its bar and its marks go. */
  leaveSearch(): void {
    this.isFromSearch = false
    this.searchWords = []
    this.repaint()
  }

  setWords(words: string): void {
    this.words = words
    clearTimeout(this.typing)
    this.typing = setTimeout(() => void this.search(), TYPING_PAUSE)
  }

  setScope(scope: 'branch' | 'all'): void {
    this.scope = scope
    void this.search()
  }

  private async search(): Promise<void> {
    this.request?.abort()
    this.request = new AbortController()
    this.trouble = ''
    if (!this.words.trim()) {
      this.matches = []
      this.at = -1
      this.repaint()
      return
    }
    this.isBusy = true
    this.asked = { tip: this.page.ref.tip, shownTip: this.page.data?.tip ?? null }
    try {
      const answer = await fetchMatches(this.page.ref, this.words, this.scope, this.request.signal)
      this.matches = listMatches(answer.hits)
      this.total = answer.total
      this.at = this.matches.length ? findMatchFrom(this.matches, this.page.position.current) : -1
      await this.showCurrent()
    } catch (error) {
      if (!isAbort(error)) {
        this.trouble = describeError(error)
      }
    } finally {
      this.isBusy = false
    }
  }

  /** Go to the next or previous place; beyond the last is the first again. */
  async step(by: 1 | -1): Promise<boolean> {
    if (this.matches.length === 0) {
      return false
    }
    this.at = (this.at + by + this.matches.length) % this.matches.length
    await this.showCurrent()
    return true
  }

  private async showCurrent(): Promise<void> {
    const match = this.matches[this.at]
    this.wantedRange = null
    if (!match) {
      this.closeFolds()
      this.page.reveal(null)
      this.repaint()
      return
    }
    const wanted = match.hit.tip ?? this.asked.shownTip
    if (wanted !== null && wanted !== this.page.data?.tip) {
      const { session, agent } = this.page.ref
      const tip = match.hit.tip ?? this.asked.tip
      this.pending = match
      this.page.savePosition()
      goTo(conversationAddress(session, { tip, agent, at: match.hit.uuid }))
      return
    }
    await this.reveal(match)
  }

  /** Another branch is open now: go to the place it was opened for. */
  async showPending(): Promise<void> {
    const match = this.pending
    this.pending = null
    if (match) {
      await this.reveal(match)
    }
  }

  private async reveal({ hit, nth }: Match): Promise<void> {
    const { page } = this
    const key = page.data?.keys[hit.number]
    if (key === undefined) {
      return
    }
    const isThere = this.isOnScreen(key)
    this.closeFolds(hit.opens)
    if (!isThere) {
      await page.navigator.jumpTo(hit.number, 24)
    }
    await this.openFolds(key, hit.opens)
    const element = page.list?.element(key)
    const inside = element?.querySelector(`[data-key="${CSS.escape(hit.key)}"]`) ?? element
    if (page.revealed !== key) {
      page.reveal(null)
    }
    if (inside && !findRanges(inside, this.words).some(isVisible)) {
      page.reveal(key)
    }
    const seen = inside ? findRanges(inside, this.words).filter(isVisible) : []
    const all = seen.length || !element ? seen : findRanges(element, this.words).filter(isVisible)
    this.wantedRange = all[Math.min(nth, all.length - 1)] ?? null
    this.repaint()
    this.scrollTo(this.wantedRange)
  }

  private isOnScreen(key: string): boolean {
    return this.page.list?.element(key)?.querySelector('.piece') != null
  }

  private async openFolds(key: string, opens: readonly string[]): Promise<void> {
    const element = this.page.list?.element(key)
    if (element) {
      this.openedFolds.push(...(await this.page.folds.openAll(element, opens)))
    }
  }

  /** Close what was opened on the way to a place, except what the next one needs. */
  private closeFolds(except: readonly string[] = []): void {
    for (const name of this.openedFolds.splice(0).reverse()) {
      if (except.includes(name)) {
        this.openedFolds.unshift(name)
      } else {
        this.closeFold(name)
      }
    }
  }

  private closeFold(key: string): void {
    const { list, folds } = this.page
    const found = list?.find(`details[data-key="${CSS.escape(key)}"]`)
    if (found instanceof HTMLDetailsElement) {
      void folds.setOpen(found, false)
    } else {
      folds.forget(key)
    }
  }

  private scrollTo(range: Range | null): void {
    if (range) {
      scrollLineTo(range)
      this.page.list?.scrollIntoSight(range.getBoundingClientRect())
    }
  }

  /** Mark the words in everything that is drawn. */
  repaint(): void {
    const words = this.isOpen && this.words.trim() ? [this.words] : this.searchWords
    if (words.length === 0) {
      clearHighlights()
      return
    }
    const ranges = (this.page.list?.elements() ?? []).flatMap((element) => findRangesOfAny(element, words))
    const current = this.wantedRange && this.wantedRange.startContainer.isConnected ? this.wantedRange : null
    paintHighlights(ranges, current)
  }

  /** Come from a search: mark its words, and go to the first of them in the message. */
  async showSearchWords(words: readonly string[], uuid: string | null, said: string): Promise<void> {
    this.searchWords = words
    const { page } = this
    const index =
      !uuid || !page.data ? -1 : page.navigator.landed >= 0 ? page.navigator.landed : page.position.current
    this.repaint()
    const key = page.data?.keys[index]
    const element = key === undefined ? null : (page.list?.element(key) ?? null)
    if (!element) {
      return
    }
    const all = findRangesOfAny(element, words)
    let found = all.find(isVisible) ?? null
    if (!found) {
      await this.unfoldWords(words, key ?? '')
      found = findRangesOfAny(element, words).find(isVisible) ?? null
    }
    if (!found && key !== undefined) {
      page.reveal(key)
      found = findRangesOfAny(element, words).find(isVisible) ?? null
    }
    // Two hits in one message are two places in it; the phrase is gone to before a word of it.
    const phrase = findRanges(element, words[0] ?? '').filter(isVisible)
    const seen = phrase.length ? phrase : findRangesOfAny(element, words).filter(isVisible)
    this.searchVisits = this.searchKey === key ? this.searchVisits + 1 : 0
    this.searchKey = key ?? ''
    const own = findSaidPlace(findRangesOfAny(element, words).filter(isVisible), said)
    this.wantedRange = own ?? seen[this.searchVisits % Math.max(1, seen.length)] ?? found
    this.repaint()
    this.scrollTo(this.wantedRange)
  }

  /** The words are folded away or not loaded: ask where they are, and open the folds around them. */
  private async unfoldWords(words: readonly string[], key: string): Promise<void> {
    for (const word of words) {
      const answer = await fetchMatches(this.page.ref, word, 'branch').catch(() => null)
      const hit = answer?.hits.find((one) => this.page.data?.keys[one.number] === key)
      if (hit) {
        await this.openFolds(key, hit.opens)
        this.openedFolds = []
        return
      }
    }
  }
}
