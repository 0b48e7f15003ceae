/**
 * The graph of a session: the shape of all rows, and those rows that were looked at.
 *
 * Rows come a stretch at a time, around what is in sight. When the session grows the graph is
 * asked for again, and the row that is chosen is found by its key.
 */
import { getJson, isAbort } from '../api'
import type { TreeAnswer, TreeBranch, TreeRow, TreeRowsAnswer } from '../wire'

export type TreeZoom = TreeAnswer['zoom']

const STRETCH = 100

export class TreeData {
  answer = $state.raw<TreeAnswer | null>(null)
  error = $state.raw<unknown>(null)
  /** The row that is chosen. */
  selected = $state(0)
  /** Changes whenever rows arrive; rows are looked up and not copied. */
  private version = $state(0)
  private rows = new Map<number, TreeRow>()
  private branches = new Map<number, TreeBranch>()
  private readonly asked = new Set<number>()
  private request = new AbortController()

  constructor(readonly session: string) {}

  row(number: number): TreeRow | null {
    void this.version
    return this.rows.get(number) ?? null
  }

  branch(number: number): TreeBranch | null {
    void this.version
    return this.branches.get(number) ?? null
  }

  get current(): TreeRow | null {
    return this.row(this.selected)
  }

  /** Ask for the graph, to begin at a record; without one at the active tip. */
  async load(zoom: TreeZoom, at: string | null): Promise<void> {
    this.request.abort()
    const mine = new AbortController()
    this.request = mine
    try {
      const answer = await getJson<TreeAnswer>(`${this.path}/tree`, { zoom, at }, mine.signal)
      this.asked.clear()
      this.rows = new Map()
      this.branches = new Map()
      this.put(answer.page)
      this.answer = answer
      this.error = null
      this.selected = answer.start
    } catch (error) {
      if (!isAbort(error)) {
        this.error = error
      }
    }
  }

  /** Ask for rows that are in sight and not here yet. */
  need(from: number, to: number): void {
    const { answer } = this
    if (!answer) {
      return
    }
    for (let first = from - (from % STRETCH); first < Math.min(to, answer.count); first += STRETCH) {
      const last = Math.min(first + STRETCH, answer.count) - 1
      if (!this.asked.has(first) && !(this.rows.has(first) && this.rows.has(last))) {
        this.asked.add(first)
        void this.fetchRows(answer, first)
      }
    }
  }

  stop(): void {
    this.request.abort()
  }

  private get path(): string {
    return `/api/sessions/${encodeURIComponent(this.session)}`
  }

  private async fetchRows(answer: TreeAnswer, from: number): Promise<void> {
    const { signal } = this.request
    try {
      const params = { zoom: answer.zoom, from, count: STRETCH }
      const page = await getJson<TreeRowsAnswer>(`${this.path}/tree/rows`, params, signal)
      if (page.revision === answer.revision) {
        this.put(page)
      } else if (!signal.aborted) {
        // The session has grown meanwhile: these are the rows of another graph.
        await this.load(answer.zoom, this.current?.uuid ?? null)
      }
    } catch (error) {
      if (!isAbort(error)) {
        this.asked.delete(from)
        this.error = error
      }
    }
  }

  private put(page: TreeRowsAnswer): void {
    for (const row of page.rows) {
      this.rows.set(row.number, row)
    }
    for (const branch of page.branches) {
      this.branches.set(branch.number, branch)
    }
    this.version += 1
  }
}
