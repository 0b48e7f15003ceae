/** Brings what is new into the open conversation: asked for by revision, put in place of what it replaces. */
import type { ChangesAnswer } from '../../wire'
import { markNewRow } from '../list/rows'
import type { OpenConversation } from '../open-conversation.svelte'
import { CatchUp } from './catch-up'
import { applyChange, conversationFrom, parseMessageId, type Conversation } from './conversation'
import { fetchChanges, fetchConversation } from './requests'

export class LiveUpdates {
  private readonly catchUp: CatchUp

  constructor(private readonly page: OpenConversation) {
    this.catchUp = new CatchUp({
      ask: () => this.askChanges(),
      reload: () => this.reload(),
      onGone: () => (page.info.isGone = true),
    })
  }

  /** Ask what is new since the revision the page has. */
  async check(): Promise<void> {
    await this.catchUp.run()
  }

  stop(): void {
    this.catchUp.stop()
  }

  private async askChanges(): Promise<boolean> {
    const { data, ref, info } = this.page
    if (!data || data.partial || info.isGone) {
      return false
    }
    const change = await fetchChanges(ref, data.revision)
    if (ref !== this.page.ref || this.page.data !== data) {
      return false
    }
    this.apply(data, change)
    return change.revision === data.revision
  }

  /** The list as a whole is other than we think: take it anew, at the same place. */
  private async reload(): Promise<void> {
    const { page } = this
    const key = page.data?.keys[page.position.current]
    const answer = await fetchConversation(page.ref, key ? parseMessageId(key) : null, true)
    const data = conversationFrom(answer)
    const landing = page.sameLanding(page.data, data)
    page.pieces.clear()
    page.pieces.put(answer.page.pieces)
    page.data = data
    page.navigator.show(landing)
  }

  private apply(data: Conversation, change: ChangesAnswer): void {
    const { page } = this
    page.info.takeState(change)
    page.setTitle(change.title)
    if (change.revision === data.revision) {
      return
    }
    const applied = applyChange(data, change)
    const sent = new Set(change.pieces.map((piece) => piece.key))
    for (const key of change.keys) {
      if (!sent.has(key)) {
        page.pieces.drop(key)
      }
    }
    page.pieces.renumber()
    page.pieces.put(change.pieces)
    page.data = applied.conversation
    const isPinned = page.list?.view.isPinned ?? true
    page.list?.replaceFrom(applied.conversation, applied.from)
    page.list?.refresh(new Set(change.keys))
    if (!isPinned) {
      const grown = applied.fresh.length || applied.steps ? [] : change.keys.slice(-1)
      page.position.addUnseen([...applied.fresh, ...grown], applied.steps)
    }
    for (const key of applied.fresh.length ? applied.fresh : [...sent].slice(-1)) {
      markNewRow(page.list?.element(key))
    }
    page.position.noteDrawn()
    page.repaint()
    page.info.loadSoon(page.ref, page.signal)
  }
}
