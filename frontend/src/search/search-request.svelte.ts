/**
 * Search while typing: at least 120 ms between two questions, and only the newest answer counts.
 *
 * A query that makes no sense keeps the last good answer: it is dimmed, not thrown away. A pattern is
 * run only where a person typed it: any site can lead to an address of ours.
 */
import { ApiError, getJson, isAbort, TYPED } from '../api'
import type { SearchAnswer } from '../wire'

export type Sort = 'best' | 'newest'

export interface SearchState {
  /** The last answer that made sense. */
  readonly answer: SearchAnswer | null
  readonly sort: Sort
  /** What the server does not understand in what is typed now. */
  readonly wrong: ApiError | null
  readonly error: unknown
  /** Why a pattern that came with the address is not run yet. */
  readonly waits: string | null
  readonly busy: boolean
}

export const BETWEEN = 120

type FetchHits = (query: string, sort: Sort, signal: AbortSignal, isTyped: boolean) => Promise<SearchAnswer>

const fetchHits: FetchHits = (q, sort, signal, isTyped) =>
  getJson<SearchAnswer>('/api/search', { q, sort }, signal, isTyped ? TYPED : {})

export class SearchRequest {
  state = $state.raw<SearchState>({
    answer: null,
    sort: 'best',
    wrong: null,
    error: null,
    waits: null,
    busy: false,
  })
  private lastAt = -BETWEEN
  private timer: ReturnType<typeof setTimeout> | undefined
  private request: AbortController | null = null

  constructor(private readonly fetch: FetchHits = fetchHits) {}

  /** Ask what a person typed; `patience` waits for the rest of it. */
  ask(query: string, sort: Sort, patience = 0): void {
    this.schedule(query, sort, patience, true)
  }

  /** Ask what an address says: a pattern in it waits for the person. */
  askFromAddress(query: string, sort: Sort): void {
    this.schedule(query, sort, 0, false)
  }

  private schedule(query: string, sort: Sort, patience: number, isTyped: boolean): void {
    clearTimeout(this.timer)
    this.state = { ...this.state, busy: true }
    const wait = Math.max(patience, this.lastAt + BETWEEN - performance.now())
    this.timer = setTimeout(() => void this.send(query, sort, isTyped), wait)
  }

  restore(state: SearchState): void {
    this.state = { ...state, busy: false }
  }

  stop(): void {
    clearTimeout(this.timer)
    this.request?.abort()
  }

  private async send(query: string, sort: Sort, isTyped: boolean): Promise<void> {
    this.lastAt = performance.now()
    this.request?.abort()
    const mine = new AbortController()
    this.request = mine
    try {
      const answer = await this.fetch(query, sort, mine.signal, isTyped)
      if (!mine.signal.aborted) {
        this.state = { answer, sort, wrong: null, error: null, waits: null, busy: false }
      }
    } catch (problem) {
      if (isAbort(problem) || mine.signal.aborted) {
        return
      }
      const isWrong = problem instanceof ApiError && problem.status === 400
      const isWaiting = problem instanceof ApiError && problem.code === 'pattern_waits'
      this.state = {
        ...this.state,
        wrong: isWrong ? problem : null,
        error: isWrong || isWaiting ? null : problem,
        waits: isWaiting ? problem.message : null,
        busy: false,
      }
    }
  }
}
