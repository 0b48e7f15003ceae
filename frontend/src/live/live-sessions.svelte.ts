/**
 * Sessions that are going on, for every screen: the bar counts them, Home and Live list them.
 *
 * Asked for once, then kept by events. After a gap the whole is asked for again.
 */
import { dayOf } from '../formats'
import { getJson, isAbort } from '../api'
import { eventsReady, onEvent, onReturn } from '../events.svelte'
import type { LiveAnswer, LiveSession, LiveMessage, SessionState } from '../wire'

const KEPT_SAID = 200
const ORDER: readonly SessionState[] = [
  'waiting',
  'failed',
  'compacting',
  'working',
  'background',
  'interrupted',
  'finished',
]

export function isWorking(state: SessionState): boolean {
  return state === 'working' || state === 'background' || state === 'compacting'
}

/** Count those that wait; `probably` where no file of a client says it of any of them. */
export function describeWaiting(waiting: readonly LiveSession[]): string {
  const probably = waiting.every((one) => !one.sure) ? 'probably ' : ''
  return `${waiting.length} ${probably}${waiting.length === 1 ? 'waits' : 'wait'}`
}

/** Tell whether a session belongs on the Live screen: it goes on, or something happened in it today. */
export function isCurrent(row: LiveSession, now: Date): boolean {
  if (row.state === 'waiting' || isWorking(row.state)) {
    return true
  }
  return row.active_at !== null && dayOf(new Date(row.active_at)) === dayOf(now)
}

/** Sort by urgency, then by what happened last. */
export function sortSessions(sessions: readonly LiveSession[]): LiveSession[] {
  return [...sessions].sort(
    (one, other) =>
      ORDER.indexOf(one.state) - ORDER.indexOf(other.state) ||
      (other.active_at ?? '').localeCompare(one.active_at ?? '') ||
      one.id.localeCompare(other.id),
  )
}

/** Put a row in the place of the one it replaces, or behind the others. */
export function replaceSession(sessions: readonly LiveSession[], row: LiveSession): LiveSession[] {
  const known = sessions.some((one) => one.id === row.id)
  return known ? sessions.map((one) => (one.id === row.id ? row : one)) : [...sessions, row]
}

class LiveSessions {
  /** Null until the server answered. */
  sessions = $state.raw<readonly LiveSession[] | null>(null)
  said = $state.raw<readonly LiveMessage[]>([])
  error = $state.raw<unknown>(null)
  private request: AbortController | null = null

  /** How many wait for the person, and how many work, by the one rule for all screens. */
  readonly counts = $derived({
    waiting: (this.sessions ?? []).filter((one) => one.state === 'waiting').length,
    working: (this.sessions ?? []).filter((one) => isWorking(one.state)).length,
  })

  async refresh(): Promise<void> {
    this.request?.abort()
    const mine = new AbortController()
    this.request = mine
    try {
      const answer = await getJson<LiveAnswer>('/api/live', {}, mine.signal)
      this.sessions = sortSessions(answer.sessions)
      this.said = newestFirst(answer.said)
      this.error = null
    } catch (error) {
      if (!isAbort(error)) {
        this.error = error
      }
    }
  }
}

export const live = new LiveSessions()

/** Keep them current. Returns what ends it. */
export function start(): () => void {
  const offs = [
    onEvent('live', ({ session }) => (live.sessions = replaceSession(live.sessions ?? [], session))),
    onEvent('gone', ({ session }) => {
      live.sessions = (live.sessions ?? []).filter((one) => one.id !== session)
    }),
    onEvent('said', (said) => (live.said = [said, ...live.said].slice(0, KEPT_SAID))),
    onEvent('reset', () => void live.refresh()),
    onReturn(() => void live.refresh()),
  ]
  void eventsReady.then(() => live.refresh())
  return () => offs.forEach((off) => off())
}

function newestFirst(said: readonly LiveMessage[]): LiveMessage[] {
  return [...said].sort((one, other) => (other.time ?? '').localeCompare(one.time ?? '')).slice(0, KEPT_SAID)
}
