/**
 * Rows that come in pages, and go on living.
 *
 * A live event changes its row where it stands. What would move rows (a new session, another
 * order) waits until nobody points at the list or has the focus in it.
 */
import { getJson, isAbort } from '../api'
import type { LiveSession, SessionItem, SessionsAnswer } from '../wire'
import type { SessionQuery } from './session-query'

export interface SessionRows {
  readonly rows: readonly SessionItem[]
  readonly total: number
  readonly next: string | null
  readonly sentence: string | null
  readonly models: readonly string[]
  readonly branches: readonly string[]
  readonly machines: readonly string[]
  readonly members: readonly string[]
  /** Whether the first page has come. */
  readonly known: boolean
  readonly busy: boolean
  readonly error: unknown
}

const PAGE = 100
const MOST = 500
const NOTHING: SessionRows = {
  rows: [],
  total: 0,
  next: null,
  sentence: null,
  models: [],
  branches: [],
  machines: [],
  members: [],
  known: false,
  busy: false,
  error: null,
}

export class SessionPages {
  state = $state.raw<SessionRows>(NOTHING)
  private query: SessionQuery | null = null
  private request: AbortController | null = null

  /** Ask for another list; the one before stays until the new one is there. */
  async open(query: SessionQuery, kept?: SessionRows): Promise<void> {
    this.query = query
    if (kept?.known) {
      this.state = { ...kept, busy: false }
    }
    await this.load(null, kept?.known ? countShown(kept) : PAGE, firstPage)
  }

  async loadMore(): Promise<void> {
    const { next, busy } = this.state
    if (next && !busy) {
      await this.load(next, PAGE, (answer) => ({
        ...firstPage(answer),
        rows: appendRows(this.state.rows, answer.rows),
      }))
    }
  }

  /** Ask for what is shown again. */
  async refresh(): Promise<void> {
    await this.load(null, countShown(this.state), firstPage)
  }

  /** Change a row in place; tells whether the list has it. */
  updateRow(live: LiveSession): boolean {
    const { rows } = this.state
    const has = rows.some((row) => row.id === live.id)
    if (has) {
      this.state = {
        ...this.state,
        rows: rows.map((row) => (row.id === live.id ? mergeLive(row, live) : row)),
      }
    }
    return has
  }

  stop(): void {
    this.request?.abort()
  }

  private async load(
    cursor: string | null,
    limit: number,
    take: (answer: SessionsAnswer) => SessionRows,
  ): Promise<void> {
    this.request?.abort()
    const mine = new AbortController()
    this.request = mine
    this.state = { ...this.state, busy: true }
    try {
      const answer = await getJson<SessionsAnswer>(
        '/api/sessions',
        { ...this.query, cursor, limit },
        mine.signal,
      )
      if (!mine.signal.aborted) {
        this.state = take(answer)
      }
    } catch (error) {
      if (!isAbort(error) && !mine.signal.aborted) {
        this.state = { ...this.state, busy: false, error }
      }
    }
  }
}

function firstPage(answer: SessionsAnswer): SessionRows {
  return { ...answer, known: true, busy: false, error: null }
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
    // A cost that is only of the end of a file says nothing of the session.
    ...(live.partial || live.cost_usd === null
      ? {}
      : {
          cost_usd: live.cost_usd,
          copied_cost_usd: live.copied_cost_usd,
          unpriced_models: live.unpriced_models,
        }),
    model: live.model ?? row.model,
    git_branch: live.git_branch ?? row.git_branch,
  }
}

function countShown(rows: SessionRows): number {
  return Math.min(MOST, Math.max(PAGE, rows.rows.length))
}
