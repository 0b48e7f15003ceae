/**
 * Sessions that are going on, for every screen: the bar counts them, Home and Live list them.
 *
 * Asked for once, then kept by events. After a gap the whole is asked for again.
 */
import { derived, readonly, writable } from 'svelte/store'

import { getJson, isAbort } from '../api'
import { eventsReady, onEvent, onReturn } from '../events'
import type { LiveAnswer, LiveSession, LiveMessage, SessionState } from '../wire'

const KEPT_SAID = 200
const ORDER: readonly SessionState[] = ['waiting', 'failed', 'compacting', 'working', 'interrupted', 'finished']

export interface LiveState {
  /** Null until the server answered. */
  readonly sessions: readonly LiveSession[] | null
  readonly said: readonly LiveMessage[]
  readonly error: unknown
}

const state = writable<LiveState>({ sessions: null, said: [], error: null })
export const liveState = readonly(state)

/** How many wait for the person, and how many work, by the one rule for all screens. */
export const liveCounts = derived(state, ({ sessions }) => ({
  waits: (sessions ?? []).filter((one) => one.state === 'waiting').length,
  working: (sessions ?? []).filter((one) => isWorking(one.state)).length,
}))

export function isWorking(state: SessionState): boolean {
  return state === 'working' || state === 'compacting'
}

/** Tell whether a session belongs in the cockpit: it goes on, or something happened in it today. */
export function isCurrent(row: LiveSession, now: Date): boolean {
  if (row.state === 'waiting' || isWorking(row.state)) {
    return true
  }
  return row.active_at !== null && new Date(row.active_at).toDateString() === now.toDateString()
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

let asking: AbortController | null = null

export async function refreshLive(): Promise<void> {
  asking?.abort()
  const mine = new AbortController()
  asking = mine
  try {
    const answer = await getJson<LiveAnswer>('/api/live', {}, mine.signal)
    state.set({ sessions: sortSessions(answer.sessions), said: newestFirst(answer.said), error: null })
  } catch (error) {
    if (!isAbort(error)) {
      state.update((now) => ({ ...now, error }))
    }
  }
}

/** Keep the board current. Returns what ends it. */
export function start(): () => void {
  const offs = [
    onEvent('live', ({ session }) =>
      state.update((now) => ({ ...now, sessions: replaceSession(now.sessions ?? [], session) })),
    ),
    onEvent('gone', ({ session }) =>
      state.update((now) => ({ ...now, sessions: (now.sessions ?? []).filter((one) => one.id !== session) })),
    ),
    onEvent('said', (said) =>
      state.update((now) => ({ ...now, said: [said, ...now.said].slice(0, KEPT_SAID) })),
    ),
    onEvent('reset', () => void refreshLive()),
    onReturn(() => void refreshLive()),
  ]
  void eventsReady.then(refreshLive)
  return () => offs.forEach((off) => off())
}

function newestFirst(said: readonly LiveMessage[]): LiveMessage[] {
  return [...said].sort((one, other) => (other.time ?? '').localeCompare(one.time ?? '')).slice(0, KEPT_SAID)
}
