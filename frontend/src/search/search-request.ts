/**
 * Search while typing: at least 120 ms between two questions, and only the newest answer counts.
 *
 * A query that makes no sense keeps the last good answer: it is dimmed, not thrown away.
 */
import { readonly, writable, type Readable } from 'svelte/store'

import { ApiError, getJson, isAbort } from '../api'
import type { SearchAnswer } from '../wire'

export type Sort = 'best' | 'newest'

export interface SearchState {
  /** The last answer that made sense. */
  readonly answer: SearchAnswer | null
  readonly sort: Sort
  /** What the server does not understand in what is typed now. */
  readonly wrong: ApiError | null
  readonly error: unknown
  readonly busy: boolean
}

export interface Searching extends Readable<SearchState> {
  /** Ask; `patience` waits for the rest of something that is being typed. */
  readonly ask: (query: string, sort: Sort, patience?: number) => void
  readonly restore: (asked: SearchState) => void
  readonly stop: () => void
}

export const BETWEEN = 120

type Fetch = (query: string, sort: Sort, signal: AbortSignal) => Promise<SearchAnswer>

const overTheWire: Fetch = (q, sort, signal) => getJson<SearchAnswer>('/api/search', { q, sort }, signal)

export function searching(fetching: Fetch = overTheWire): Searching {
  const state = writable<SearchState>({ answer: null, sort: 'best', wrong: null, error: null, busy: false })
  let last = -BETWEEN
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | null = null

  async function send(query: string, sort: Sort): Promise<void> {
    last = performance.now()
    asking?.abort()
    const mine = new AbortController()
    asking = mine
    try {
      const answer = await fetching(query, sort, mine.signal)
      if (!mine.signal.aborted) {
        state.set({ answer, sort, wrong: null, error: null, busy: false })
      }
    } catch (problem) {
      if (isAbort(problem) || mine.signal.aborted) {
        return
      }
      const isWrong = problem instanceof ApiError && problem.status === 400
      state.update((now) => ({
        ...now,
        wrong: isWrong ? problem : null,
        error: isWrong ? null : problem,
        busy: false,
      }))
    }
  }

  return {
    subscribe: readonly(state).subscribe,
    restore: (asked) => state.set({ ...asked, busy: false }),
    ask: (query, sort, patience = 0) => {
      clearTimeout(timer)
      state.update((now) => ({ ...now, busy: true }))
      timer = setTimeout(() => void send(query, sort), Math.max(patience, last + BETWEEN - performance.now()))
    },
    stop: () => {
      clearTimeout(timer)
      asking?.abort()
    },
  }
}
