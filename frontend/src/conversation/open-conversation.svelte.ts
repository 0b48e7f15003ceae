/**
 * The conversation that is open: what is known of it, and the parts that work on it.
 *
 * The list draws it (`list/`), the position tells where the reader is and the navigator moves
 * there (`position/`), updates bring what happens live (`data/`). A large session answers first
 * with the pieces around the target and then whole: the place is kept by the piece's key.
 */
import { loadMessageMarks } from '../annotations.svelte'
import { ApiError, describeError, isAbort } from '../api'
import { setTitle } from '../page-title.svelte'
import { showToast } from '../ui/toast.svelte'
import type { ConversationAnswer, PieceHtml, SessionDetails } from '../wire'
import { addMessageMarks, followMessageMarks } from './actions/message-notes'
import { conversationFrom, parseMessageId, type Conversation } from './data/conversation'
import { LiveUpdates } from './data/live-updates'
import { PieceCache } from './data/piece-cache'
import { fetchBody, fetchConversation, fetchPieces, type ConversationRef } from './data/requests'
import { SessionInfo } from './data/session-facts.svelte'
import { Folds } from './list/folds'
import type { ListElements } from './list/layout'
import { VirtualList } from './list/virtual-list'
import { findLanding, findSameLanding, findSharedLanding, type Landing } from './position/landing'
import { Navigator } from './position/navigator'
import { ReadingPosition } from './position/reading-position.svelte'
import { conversationName, loadFolds, loadPlace, placeOfStep, saveFolds, savePlace } from './position/saved'

/** Where to open: a conversation, a message in it, and the step of the history it belongs to. */
export interface Target extends ConversationRef {
  readonly at: string | null
  readonly step: string
}

export class OpenConversation {
  /** Null until the server answered. */
  data = $state.raw<Conversation | null>(null)
  failure = $state.raw<unknown>(null)
  title = $state('')
  ref = $state.raw<ConversationRef>({ session: '', tip: null, agent: null, until: null })

  /** Null while there is nothing to draw on. */
  list: VirtualList | null = null
  readonly info = new SessionInfo()
  readonly position = new ReadingPosition()
  readonly navigator = new Navigator(this)
  readonly updates = new LiveUpdates(this)
  readonly folds: Folds
  readonly pieces: PieceCache
  /** Called after rows were filled or bodies came in: highlights are painted again. */
  repaint: () => void = () => undefined
  private step = ''
  /** The piece that is shown whole though only the talk is shown, or no thinking: what is found is in it. */
  revealed: string | null = null
  private loading = new AbortController()

  constructor() {
    this.folds = new Folds({
      fetchBody: (key) => fetchBody(this.ref, key),
      changeContent: (change) => (this.list ? this.list.changeContent(change) : change()),
      describeError,
      onLoaded: () => this.repaint(),
    })
    this.pieces = new PieceCache(
      async (from, count) => (await fetchPieces(this.ref, from, count, this.data?.revision ?? '')).pieces,
      (pieces) => this.drawArrived(pieces),
    )
  }

  get facts(): SessionDetails | null {
    return this.info.facts
  }

  /** Ends what is asked for the conversation that is open. */
  get signal(): AbortSignal {
    return this.loading.signal
  }

  /** Take the elements of the page to draw on. Returns what ends it. */
  mount(elements: ListElements): () => void {
    this.list = new VirtualList(elements, {
      html: (key) => this.pieces.html(key),
      isFailed: (number) => this.pieces.isFailed(number),
      onFilled: (element, key) => {
        this.folds.apply(element)
        element.classList.toggle('revealed', key === this.revealed)
        addMessageMarks(this, element)
      },
      onNeeded: (from, to, first) => this.data && this.pieces.request(this.data.keys, from, to, first),
      onMoved: (isResting) => this.noteMove(isResting),
    })
    void loadMessageMarks()
    const stopMarks = followMessageMarks(this)
    return () => {
      stopMarks()
      this.loading.abort()
      this.info.clear()
      this.updates.stop()
      this.list?.destroy()
      this.list = null
    }
  }

  /** Open a conversation, or go to a message of the one that is open. */
  async open(target: Target): Promise<void> {
    this.step = target.step
    if (this.data && !this.data.partial && isSame(this.ref, target)) {
      const landing = this.savedLanding(target, this.data)
      if (landing || !target.at) {
        await this.navigator.goToLanding(landing)
        return
      }
    }
    this.loading.abort()
    this.updates.stop()
    this.loading = new AbortController()
    const before = this.ref
    const { session, tip, agent, until = null } = target
    this.ref = { session, tip, agent, until }
    if (before.session !== target.session || before.agent !== target.agent) {
      this.pieces.clear()
      this.data = null
      this.info.clear()
      this.folds.restore(loadFolds(target.session))
    }
    this.failure = null
    try {
      await this.load(target, this.signal)
    } catch (error) {
      if (!isAbort(error)) {
        this.failure = error
      }
    }
  }

  /** Show all of a piece, whatever is left out of the others; null leaves it out of all again. */
  reveal(key: string | null): void {
    if (key === this.revealed) {
      return
    }
    const before = this.revealed
    this.revealed = key
    this.list?.changeContent(() => {
      for (const one of [before, key]) {
        const element = one === null ? null : this.list?.element(one)
        element?.classList.toggle('revealed', one === key)
      }
    })
  }

  /** Open what is on the way to a row of a piece, and look at the row. */
  private async showRow({ start, row, opens }: ConversationAnswer): Promise<void> {
    const key = this.data?.keys[start]
    const element = key === undefined ? null : this.list?.element(key)
    if (key === undefined || !element || row === null) {
      return
    }
    await this.folds.openAll(element, opens)
    const shown = element.querySelector<HTMLElement>(`[data-key="${CSS.escape(row)}"]`)
    if (shown) {
      this.reveal(shown.checkVisibility() ? null : key)
      this.list?.scrollIntoSight(shown.getBoundingClientRect())
    }
  }

  /** Try once more to open what could not be opened. */
  async retry(): Promise<void> {
    const at = new URLSearchParams(location.search).get('at')
    await this.open({ ...this.ref, at, step: this.step })
  }

  /** Ask again for a piece that could not be had. */
  retryPiece(key: string): void {
    const { data } = this
    if (data) {
      this.pieces.retry(data.keys.indexOf(key), data.keys)
    }
  }

  async loadFacts(): Promise<void> {
    await this.info.load(this.ref, this.signal)
  }

  /** Save the place for this step now, because another one is about to be taken. */
  savePosition(): void {
    this.noteMove(true)
  }

  private async load(target: Target, signal: AbortSignal): Promise<void> {
    const left = this.data ? null : loadPlace(localStorage, conversationName(target))
    const at = target.at ?? (left ? parseMessageId(left.key) : null)
    let answer = await this.fetchAt(at, target.at === null, signal)
    let isFirst = true
    for (;;) {
      if (answer.note && (target.at !== null || target.tip !== null)) {
        showToast(answer.note)
      }
      const old = this.data
      const data = conversationFrom(answer)
      const landing = isFirst
        ? (this.savedLanding(target, data) ?? this.sharedLanding(old, data, target))
        : this.sameLanding(old, data)
      const start = at === null && landing === null ? null : { index: answer.start, inner: 0 }
      if (isFirst) {
        this.pieces.renumber()
      } else {
        // A part knows neither what stands before it nor how much of it a compaction dropped.
        this.pieces.clear()
      }
      this.pieces.put(answer.page.pieces)
      this.data = data
      if (!data.active && this.ref.tip === null && !this.ref.until && data.tip && !data.agent) {
        // The message is on a branch that was left: from now on that branch is meant.
        this.ref = { ...this.ref, tip: data.tip }
      } else if (answer.is_other_tip) {
        // No branch is named so: what was given instead is meant.
        this.ref = { ...this.ref, tip: data.active ? null : data.tip }
      }
      this.setTitle(answer.title)
      this.navigator.show(landing ?? (start && { anchor: start, below: 12 }))
      if (!answer.partial) {
        break
      }
      isFirst = false
      answer = await fetchConversation(this.ref, at, true, signal)
    }
    await this.showRow(answer)
    await this.info.load(this.ref, signal)
    await this.navigator.fetchEnds()
  }

  /** Ask for the pieces around a message; one that is only remembered may be gone. */
  private async fetchAt(
    at: string | null,
    isRemembered: boolean,
    signal: AbortSignal,
  ): Promise<ConversationAnswer> {
    try {
      return await fetchConversation(this.ref, at, false, signal)
    } catch (error) {
      if (isRemembered && at !== null && error instanceof ApiError && error.status === 404) {
        return fetchConversation(this.ref, null, false, signal)
      }
      throw error
    }
  }

  setTitle(title: string): void {
    this.title = title
    setTitle(title)
  }

  /** Where a step was left, or where this conversation was. */
  private savedLanding(target: Target, data: Conversation): Landing | null {
    const left = placeOfStep.load(target.step) ?? loadPlace(localStorage, conversationName(target))
    return findLanding(this.list?.view.headHeight ?? 0, data, target.at, left)
  }

  /** Where another branch goes on from what both have in common. */
  private sharedLanding(old: Conversation | null, data: Conversation, target: Target): Landing | null {
    return old && this.list && !target.at ? findSharedLanding(this.list.view, old.keys, data.keys) : null
  }

  /** The very same place in other data of the same conversation. */
  sameLanding(old: Conversation | null, data: Conversation): Landing | null {
    return old && this.list ? findSameLanding(this.list.view, old.keys, data.keys) : null
  }

  private drawArrived(pieces: readonly PieceHtml[]): void {
    this.list?.refresh(pieces.length ? new Set(pieces.map((piece) => piece.key)) : null)
    this.repaint()
  }

  /** The reader looks elsewhere: keep it, and let the address say it. */
  private noteMove(isResting: boolean): void {
    const { list, data } = this
    if (!list || !data) {
      return
    }
    this.position.update(list.view, isResting)
    // While a place that was left is being filled, it is kept as it was.
    if (isResting && !list.isExact) {
      savePlace(this.ref, this.step, this.position.toSave(list.view, data.keys))
      saveFolds(this.ref.session, this.folds.changedByReader())
    }
  }
}

function isSame(one: ConversationRef, other: ConversationRef): boolean {
  return (
    one.session === other.session &&
    one.tip === other.tip &&
    one.agent === other.agent &&
    (one.until ?? null) === (other.until ?? null)
  )
}
