/**
 * Rows that come in pages, and go on living.
 *
 * A live event changes its row where it stands. What would move rows (a new session, another
 * order) waits until nobody points at the list or has the focus in it.
 */
import { readonly, writable, type Readable } from 'svelte/store'

import { getJson, isAbort } from '../api'
import type { LiveSession, SessionItem, SessionsAnswer } from '../wire'
import type { SessionQuery } from './session-query'

export interface Rows {
  readonly rows: readonly SessionItem[]
  readonly total: number
  readonly next: string | null
  readonly sentence: string | null
  /** Whether the first page has come. */
  readonly known: boolean
  readonly busy: boolean
  readonly error: unknown
}

const PAGE = 100
const MOST = 500
const NOTHING: Rows = {
  rows: [],
  total: 0,
  next: null,
  sentence: null,
  known: false,
  busy: false,
  error: null,
}

export interface Pager extends Readable<Rows> {
  /** Ask for another list; the one before stays until the new one is there. */
  readonly open: (query: SessionQuery, kept?: Rows) => Promise<void>
  readonly more: () => Promise<void>
  /** Ask for what is shown again. */
  readonly refresh: () => Promise<void>
  /** Change a row in place; tells whether the list has it. */
  readonly touch: (live: LiveSession) => boolean
  readonly stop: () => void
}

export function pager(): Pager {
  const state = writable<Rows>(NOTHING)
  let now: Rows = NOTHING
  state.subscribe((value) => (now = value))
  let query: SessionQuery | null = null
  let asking: AbortController | null = null

  async function asked(
    cursor: string | null,
    limit: number,
    take: (answer: SessionsAnswer) => Rows,
  ): Promise<void> {
    asking?.abort()
    const mine = new AbortController()
    asking = mine
    state.update((value) => ({ ...value, busy: true }))
    try {
      const answer = await getJson<SessionsAnswer>('/api/sessions', { ...query, cursor, limit }, mine.signal)
      if (!mine.signal.aborted) {
        state.set(take(answer))
      }
    } catch (error) {
      if (!isAbort(error) && !mine.signal.aborted) {
        state.update((value) => ({ ...value, busy: false, error }))
      }
    }
  }

  const first = (answer: SessionsAnswer): Rows => ({ ...answer, known: true, busy: false, error: null })
  return {
    subscribe: readonly(state).subscribe,
    stop: () => asking?.abort(),
    open: async (wanted, kept) => {
      query = wanted
      if (kept?.known) {
        state.set({ ...kept, busy: false })
      }
      await asked(null, kept?.known ? shown(kept) : PAGE, first)
    },
    more: async () => {
      if (now.next && !now.busy) {
        await asked(now.next, PAGE, (answer) => ({
          ...first(answer),
          rows: appendRows(now.rows, answer.rows),
        }))
      }
    },
    refresh: () => asked(null, shown(now), first),
    touch: (live) => {
      const has = now.rows.some((row) => row.id === live.id)
      if (has) {
        state.update((value) => ({
          ...value,
          rows: value.rows.map((row) => (row.id === live.id ? mergeLive(row, live) : row)),
        }))
      }
      return has
    },
  }
}

/** Add a page; a session that moved between two pages is shown once. */
export function appendRows(rows: readonly SessionItem[], more: readonly SessionItem[]): SessionItem[] {
  const known = new Set(rows.map((row) => row.id))
  return [...rows, ...more.filter((row) => !known.has(row.id))]
}

/** Take over what an event knows of a session. */
export function mergeLive(row: SessionItem, live: LiveSession): SessionItem {
  return {
    ...row,
    title: live.title,
    state: live.state,
    sure: live.sure,
    asks: live.asks,
    since: live.since,
    ended_at: live.active_at ?? row.ended_at,
    cost_usd: live.cost_usd ?? row.cost_usd,
    cost_complete: live.cost_usd === null ? row.cost_complete : live.cost_complete,
    model: live.model ?? row.model,
    git_branch: live.git_branch ?? row.git_branch,
  }
}

function shown(rows: Rows): number {
  return Math.min(MOST, Math.max(PAGE, rows.rows.length))
}
