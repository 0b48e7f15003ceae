/**
 * Search while typing: at least 120 ms between two questions, and only the newest answer counts.
 *
 * A query that makes no sense keeps the last good answer: it is dimmed, not thrown away.
 */
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

export const BETWEEN = 120

type FetchHits = (query: string, sort: Sort, signal: AbortSignal) => Promise<SearchAnswer>

const fetchHits: FetchHits = (q, sort, signal) => getJson<SearchAnswer>('/api/search', { q, sort }, signal)

export class SearchRequest {
  state = $state.raw<SearchState>({ answer: null, sort: 'best', wrong: null, error: null, busy: false })
  private lastAt = -BETWEEN
  private timer: ReturnType<typeof setTimeout> | undefined
  private request: AbortController | null = null

  constructor(private readonly fetch: FetchHits = fetchHits) {}

  /** Ask; `patience` waits for the rest of something that is being typed. */
  ask(query: string, sort: Sort, patience = 0): void {
    clearTimeout(this.timer)
    this.state = { ...this.state, busy: true }
    const wait = Math.max(patience, this.lastAt + BETWEEN - performance.now())
    this.timer = setTimeout(() => void this.send(query, sort), wait)
  }

  restore(state: SearchState): void {
    this.state = { ...state, busy: false }
  }

  stop(): void {
    clearTimeout(this.timer)
    this.request?.abort()
  }

  private async send(query: string, sort: Sort): Promise<void> {
    this.lastAt = performance.now()
    this.request?.abort()
    const mine = new AbortController()
    this.request = mine
    try {
      const answer = await this.fetch(query, sort, mine.signal)
      if (!mine.signal.aborted) {
        this.state = { answer, sort, wrong: null, error: null, busy: false }
      }
    } catch (problem) {
      if (isAbort(problem) || mine.signal.aborted) {
        return
      }
      const isWrong = problem instanceof ApiError && problem.status === 400
      this.state = {
        ...this.state,
        wrong: isWrong ? problem : null,
        error: isWrong ? null : problem,
        busy: false,
      }
    }
  }
}
