/** The facts of a session as they are known; while it works they are asked for now and then. */
import { isAbort } from '../../api'
import type { ChangesAnswer, LiveSession, SessionDetails } from '../../wire'
import { fetchFacts, type ConversationRef } from './requests'

const RELOAD_AFTER = 3_000

type LiveFacts = Pick<LiveSession, 'state' | 'sure' | 'asks' | 'since'> &
  Partial<Pick<LiveSession, 'permission_mode' | 'thinking'>>

export class SessionInfo {
  facts = $state.raw<SessionDetails | null>(null)
  failure = $state.raw<unknown>(null)
  /** What the session does: told by facts, by changes and by events, whichever is last. */
  live = $state.raw<LiveFacts | null>(null)
  /** The file was deleted while it was read. */
  isGone = $state(false)
  private due: ReturnType<typeof setTimeout> | undefined

  async load(ref: ConversationRef, signal?: AbortSignal): Promise<void> {
    try {
      const facts = await fetchFacts(ref, signal)
      this.facts = facts
      this.failure = null
      const { state, sure, asks, since } = facts.row
      this.live = state === 'deleted' ? null : { state, sure, asks, since }
    } catch (error) {
      if (!isAbort(error)) {
        this.failure = error
      }
    }
  }

  /** Ask again in a while; what comes meanwhile is in the same answer. */
  loadSoon(ref: ConversationRef, signal: AbortSignal): void {
    if (this.isGone) {
      return
    }
    this.due ??= setTimeout(() => {
      this.due = undefined
      void this.load(ref, signal)
    }, RELOAD_AFTER)
  }

  /** Take over the state that came with a change. */
  takeState({ state, sure }: Pick<ChangesAnswer, 'state' | 'sure'>): void {
    if (state !== 'deleted') {
      this.live = { ...(this.live ?? { asks: null, since: null }), state, sure }
    }
  }

  clear(): void {
    this.facts = null
    this.failure = null
    this.isGone = false
    clearTimeout(this.due)
    this.due = undefined
  }
}
