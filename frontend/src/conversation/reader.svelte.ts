/**
 * One conversation on the screen: what is known of it, where the reader is, what happens live.
 *
 * The page is drawn by the stage; this decides what it shows. A large session answers first with
 * the stretch around the target and then whole: the place is kept by the piece's key.
 */
import { ApiError, isAbort, sentence } from '../api'
import { setTitle } from '../title'
import type { ChangesAnswer, PieceHtml, SessionDetails } from '../wire'
import { askBody, askChanges, askConversation, askPieces, type Where } from './asking'
import { CatchingUp } from './catchingup'
import { Factsheet } from './factsheet.svelte'
import { Folds } from './folds'
import { kept, landingFor, swapped, type Landing } from './landing'
import { nameOf, recall } from './places'
import { Shelf } from './shelf'
import { edge } from './slots'
import { Stage } from './stage'
import { join, toldBy, uuidOf, type Told } from './told'
import { foldsKept, keepFolds, placeOfStep, track } from './tracks'

/** Where to open: a conversation, a message in it, and the step of the history it belongs to. */
export interface Target extends Where {
  readonly at: string | null
  readonly step: string
}

const PANES_EVERY = 120
/** So many pieces are fetched with the one that is gone to: above it, and before the end. */
const BEFORE = 6
const LAST = 18

export class Reader {
  told = $state.raw<Told | null>(null)
  failure = $state.raw<unknown>(null)
  title = $state('')
  /** The first piece that is seen. */
  current = $state(0)
  /** Pieces that came while the reader was above them. */
  unseen = $state.raw<ReadonlySet<string>>(new Set())
  isAtStart = $state(true)
  isFollowing = $state(false)
  /** Counts what was drawn, for those who draw beside it; `rested` only when it rests. */
  drawn = $state(0)
  rested = $state(0)
  where = $state.raw<Where>({ session: '', tip: null, agent: null })

  stage: Stage | null = null
  readonly sheet = new Factsheet()
  readonly folds: Folds
  readonly shelf: Shelf
  /** Called after boxes were filled or bodies came in: marks are painted again. */
  repaint: () => void = () => undefined
  private step = ''
  private toldAt = 0
  private ending = new AbortController()
  /** The piece one came for; a short page cannot be scrolled to it. */
  landed = -1
  /** Counts where one went: an answer that comes after the next step leads nowhere. */
  private goings = 0
  private readonly news = new CatchingUp({
    ask: () => this.askNews(),
    reload: () => this.reload(),
    gone: () => (this.sheet.isGone = true),
  })

  constructor() {
    this.folds = new Folds({
      body: (key) => askBody(this.where, key),
      holding: (change) => (this.stage ? this.stage.holding(change) : change()),
      words: sentence,
      loaded: () => this.repaint(),
    })
    this.shelf = new Shelf(
      async (from, count) => (await askPieces(this.where, from, count, this.told?.revision ?? '')).pieces,
      (pieces) => this.arrived(pieces),
    )
  }

  get facts(): SessionDetails | null {
    return this.sheet.facts
  }

  /** Take the elements of the page to draw on. */
  mount(scroller: HTMLElement, layer: HTMLElement, strip: HTMLElement): () => void {
    this.stage = new Stage(scroller, layer, strip, {
      html: (key) => this.shelf.html(key),
      isFailed: (number) => this.shelf.isFailed(number),
      filled: (element) => this.folds.dress(element),
      want: (from, to, first) => this.told && this.shelf.want(this.told.keys, from, to, first),
      looked: (resting) => this.looked(resting),
    })
    return () => {
      this.ending.abort()
      this.sheet.forget()
      this.news.stop()
      this.stage?.destroy()
      this.stage = null
    }
  }

  /** Open a conversation, or go to a message of the one that is open. */
  async open(target: Target): Promise<void> {
    const same =
      this.told !== null &&
      this.where.session === target.session &&
      this.where.tip === target.tip &&
      this.where.agent === target.agent
    this.step = target.step
    if (same && this.told && !this.told.partial) {
      const place = this.placeFor(target, this.told)
      if (place || !target.at) {
        await this.go(place)
        return
      }
    }
    this.ending.abort()
    this.news.stop()
    this.ending = new AbortController()
    const before = this.where
    this.where = { session: target.session, tip: target.tip, agent: target.agent }
    if (before.session !== target.session || before.agent !== target.agent) {
      this.shelf.clear()
      this.told = null
      this.sheet.forget()
      this.folds.begin(foldsKept(target.session))
    }
    this.failure = null
    try {
      await this.load(target, this.ending.signal)
    } catch (error) {
      if (!isAbort(error)) {
        this.failure = error
      }
    }
  }

  /** Try once more to open what could not be opened. */
  async retry(): Promise<void> {
    const at = new URLSearchParams(location.search).get('at')
    await this.open({ ...this.where, at, step: this.step })
  }

  /** Ask again for a piece that could not be had. */
  again(key: string): void {
    const { told } = this
    if (told) {
      this.shelf.again(told.keys.indexOf(key), told.keys)
    }
  }

  private async load(target: Target, signal: AbortSignal): Promise<void> {
    const left = this.told ? null : recall(localStorage, nameOf(target.session, target.tip, target.agent))
    const at = target.at ?? (left ? uuidOf(left.key) : null)
    let answer = await askConversation(this.where, at, false, signal).catch((error: unknown) => {
      if (target.at === null && at !== null && error instanceof ApiError && error.status === 404) {
        return askConversation(this.where, null, false, signal)
      }
      throw error
    })
    let first = true
    for (;;) {
      const old = this.told
      const told = toldBy(answer)
      const place = first
        ? (this.placeFor(target, told) ?? this.swapped(old, told, target))
        : this.kept(old, told)
      const start = at === null && place === null ? null : { index: answer.start, inner: 0 }
      this.shelf.renumber()
      this.shelf.put(answer.page.pieces)
      this.told = told
      if (!told.active && this.where.tip === null && told.tip && !told.agent) {
        // The message is on a branch that was left: from now on that branch is meant.
        this.where = { ...this.where, tip: told.tip }
      }
      this.title = answer.title
      setTitle(answer.title)
      this.land(place ?? (start && { anchor: start, below: 12 }))
      if (!answer.partial) {
        break
      }
      first = false
      answer = await askConversation(this.where, at, true, signal)
    }
    await this.sheet.load(this.where, signal)
    // Both ends are one key away: they are fetched before anybody asks.
    await this.have(0, 0)
    const last = this.count - 1
    await this.have(last, Math.max(0, last - LAST))
  }

  private get count(): number {
    return this.told?.keys.length ?? 0
  }

  private land(place: Landing | null): void {
    const { stage, told } = this
    if (!stage || !told) {
      return
    }
    stage.show(told, place)
    this.landed = place?.anchor.index ?? -1
    this.drawn += 1
    this.repaint()
  }

  /** Where a step was left, or where this conversation was. */
  private placeFor(target: Target, told: Told): Landing | null {
    const ofStep = placeOfStep.load(target.step)
    const left = ofStep ?? recall(localStorage, nameOf(target.session, target.tip, target.agent))
    return landingFor(this.stage?.view.cover ?? 0, told, target.at, left)
  }

  private swapped(old: Told | null, told: Told, target: Target): Landing | null {
    return old && this.stage && !target.at ? swapped(this.stage.view, old.keys, told.keys) : null
  }

  private kept(old: Told | null, told: Told): Landing | null {
    return old && this.stage ? kept(this.stage.view, old.keys, told.keys) : null
  }

  private arrived(pieces: readonly PieceHtml[]): void {
    this.stage?.refresh(pieces.length ? new Set(pieces.map((piece) => piece.key)) : null)
    this.repaint()
  }

  /** Keep the place for this step now, because another one is about to be taken. */
  note(): void {
    this.looked(true)
  }

  /** Look at a part of the whole, as the map does. */
  goToPart(part: number): void {
    this.stage?.lookAtPart(part)
    this.drawn += 1
  }

  /** Go to a piece. */
  async jump(index: number, below = 12): Promise<void> {
    await this.go({ anchor: { index, inner: 0 }, below })
  }

  /** Go to a place, else to the end. What is not here is fetched first, so that nothing flickers. */
  private async go(place: Landing | null): Promise<void> {
    const going = ++this.goings
    const index = place?.anchor.index ?? this.count - 1
    const key = this.told?.keys[index]
    if (key === undefined) {
      return
    }
    await this.have(index, Math.max(0, index - (place ? BEFORE : LAST)))
    if (going !== this.goings || this.told?.keys[index] !== key) {
      return
    }
    if (place) {
      this.stage?.jump(place.anchor, place.below, place.isFirm)
    } else {
      this.stage?.toEnd()
    }
    this.landed = place ? index : -1
    this.drawn += 1
    this.repaint()
  }

  /** Fetch a stretch if a piece of it is not here; it is not waited for long. */
  private async have(index: number, from: number): Promise<void> {
    const key = this.told?.keys[index]
    if (key !== undefined && !this.shelf.has(key)) {
      await Promise.race([this.fetch(from), new Promise((resolve) => setTimeout(resolve, 150))])
    }
  }

  private async fetch(from: number): Promise<void> {
    try {
      this.shelf.put((await askPieces(this.where, from, 24, this.told?.revision ?? '')).pieces)
    } catch {
      // The stage asks again and says so where it fails.
    }
  }

  async start(): Promise<void> {
    await this.jump(0)
  }

  async end(): Promise<void> {
    await this.go(null)
  }

  /** The reader looks elsewhere: remember it, and let the address say it. */
  private looked(resting: boolean): void {
    const { stage, told } = this
    if (!stage || !told) {
      return
    }
    const { index, inner } = stage.view.reading()
    // Panes follow a fling in steps: each frame belongs to the words.
    if (resting || performance.now() - this.toldAt > PANES_EVERY) {
      this.toldAt = performance.now()
      this.current = index
    }
    this.isAtStart = stage.view.top < 24
    this.isFollowing = stage.view.pinned
    if (stage.view.pinned && this.unseen.size > 0) {
      this.unseen = new Set()
    }
    this.drawn += 1
    this.rested += resting ? 1 : 0
    // While a place that was left is being filled, it is kept as it was.
    if (resting && !stage.isFirm) {
      // A twig bears the name of a message on the branch it leads to: the piece before it names the place.
      const named = index > 0 && told.keys[index]?.endsWith('/twig') ? index - 1 : index
      const below = inner + stage.view.heights.offset(index) - stage.view.heights.offset(named)
      const key = told.keys[named]
      const place =
        key === undefined || stage.view.pinned ? null : { key, inner: Math.round(below - stage.view.cover) }
      track(this.where, this.step, place)
      keepFolds(this.where.session, this.folds.opened())
    }
  }

  /** Ask what is new since the revision the page has. */
  readonly catchUp = () => this.news.now()

  private async askNews(): Promise<boolean> {
    const { told, where } = this
    if (!told || told.partial || this.sheet.isGone) {
      return false
    }
    const change = await askChanges(where, told.revision)
    if (where !== this.where || this.told !== told) {
      return false
    }
    this.apply(told, change)
    return change.revision === told.revision
  }

  /** The list as a whole is other than we think: take it anew, at the same place. */
  private async reload(): Promise<void> {
    const key = this.told?.keys[this.current]
    const answer = await askConversation(this.where, key ? uuidOf(key) : null, true)
    const old = this.told
    const told = toldBy(answer)
    const place = this.kept(old, told)
    this.shelf.clear()
    this.shelf.put(answer.page.pieces)
    this.told = told
    this.land(place)
  }

  private apply(told: Told, change: ChangesAnswer): void {
    if (change.state !== 'deleted') {
      this.sheet.live = {
        ...(this.sheet.live ?? { asks: null, since: null }),
        state: change.state,
        sure: change.sure,
      }
    }
    this.title = change.title
    setTitle(change.title)
    if (change.revision === told.revision) {
      return
    }
    const joined = join(told, change)
    const sent = new Set(change.pieces.map((piece) => piece.key))
    for (const key of change.keys) {
      if (!sent.has(key)) {
        this.shelf.drop(key)
      }
    }
    this.shelf.renumber()
    this.shelf.put(change.pieces)
    this.told = joined.told
    const pinned = this.stage?.view.pinned ?? true
    this.stage?.follow(joined.told, joined.from)
    this.stage?.refresh(new Set(change.keys))
    if (!pinned) {
      this.unseen = new Set([...this.unseen, ...joined.fresh])
    }
    for (const key of joined.fresh.length ? joined.fresh : [...sent].slice(-1)) {
      edge(this.stage?.element(key))
    }
    this.drawn += 1
    this.repaint()
    this.sheet.loadSoon(this.where, this.ending.signal)
  }

  async loadFacts(): Promise<void> {
    await this.sheet.load(this.where, this.ending.signal)
  }

  /** Follow live, or stop following. */
  async follow(on: boolean): Promise<void> {
    if (on) {
      await this.end()
    } else if (this.stage) {
      this.stage.view.pinned = false
      this.isFollowing = false
    }
  }
}
