/** The reports of the page: all asked at once, each shown when it comes, the old ones until then. */
import { getJson } from '../api'
import type { Params } from '../routes.svelte'
import { Loadable } from '../ui/loadable.svelte'
import type {
  ActivityReport,
  CompactionReport,
  ErrorReport,
  FileReport,
  HookReport,
  ToolReport,
  UsageAnswer,
} from '../wire'
import {
  activityChoice,
  choosePeriod,
  countDays,
  presetOf,
  rangeParams,
  type Period,
  type UsageChoice,
} from './usage-query'

/** An answer, and what it answers: a chart's links lead to the range it shows. */
export interface Answered<T> {
  readonly choice: UsageChoice
  readonly data: T
}

export interface TimeAnswer {
  readonly usage: UsageAnswer
  readonly period: Period
}

const SESSIONS_SHOWN = 25
const BRANCHES_SHOWN = 25
const FILES_SHOWN = 100

export class UsageData {
  readonly time = new Loadable<Answered<TimeAnswer>>()
  readonly before = new Loadable<Answered<UsageAnswer | null>>()
  readonly blocks = new Loadable<Answered<UsageAnswer>>()
  readonly sessions = new Loadable<Answered<UsageAnswer>>()
  readonly branches = new Loadable<Answered<UsageAnswer>>()
  readonly tools = new Loadable<Answered<ToolReport>>()
  readonly hooks = new Loadable<Answered<HookReport>>()
  readonly errors = new Loadable<Answered<ErrorReport>>()
  readonly compactions = new Loadable<Answered<CompactionReport>>()
  readonly files = new Loadable<Answered<FileReport>>()
  readonly activity = new Loadable<Answered<ActivityReport>>()

  load(choice: UsageChoice): void {
    void this.time.load(async (signal) => ({ choice, data: await askTime(choice, signal) }))
    this.ask(this.blocks, choice, '/api/usage', { report: 'blocks' })
    this.ask(this.sessions, choice, '/api/usage', { report: 'session', limit: SESSIONS_SHOWN })
    this.ask(this.branches, choice, '/api/usage', { report: 'branch', limit: BRANCHES_SHOWN })
    this.ask(this.tools, choice, '/api/stats/tools')
    this.ask(this.hooks, choice, '/api/stats/hooks')
    this.ask(this.errors, choice, '/api/stats/errors')
    this.ask(this.compactions, choice, '/api/stats/compactions')
    this.ask(this.files, choice, '/api/stats/files', { limit: FILES_SHOWN })
    this.ask(this.activity, activityChoice(choice), '/api/stats/activity')
    const before = presetOf(choice)?.before
    void this.before.load(async (signal) => ({
      choice,
      data: before
        ? await getJson<UsageAnswer>('/api/usage', { ...before, zone: choice.zone, report: 'model' }, signal)
        : null,
    }))
  }

  /** Ask for every row of a report of which the page shows the first. */
  async fetchAll<T>(choice: UsageChoice, path: string, more: Params = {}): Promise<T> {
    return getJson<T>(path, { ...more, ...rangeParams(choice) })
  }

  /** What went wrong with a question whose older answer is still shown, or with all of them. */
  findFailure(): unknown {
    const outdated = this.all().find((one) => one.error && one.value)
    return outdated?.error ?? (this.isEmpty ? this.time.error : null)
  }

  /** Why a part has no answer; while nothing has one, that is said once for all of them. */
  partError(part: Loadable<unknown>): unknown {
    return this.isEmpty ? null : part.error
  }

  /** Whether nothing was answered yet: what failed then failed for one reason, which is said once. */
  get isEmpty(): boolean {
    // What came before a range is answered without being asked where a range has no name.
    return this.all().every((one) => one === this.before || one.value === null)
  }

  stop(): void {
    this.all().forEach((one) => one.stop())
  }

  private all(): Loadable<unknown>[] {
    return Object.values(this) as Loadable<unknown>[]
  }

  private ask<T>(into: Loadable<Answered<T>>, choice: UsageChoice, path: string, more: Params = {}): void {
    void into.load(async (signal) => ({
      choice,
      data: await getJson<T>(path, { ...more, ...rangeParams(choice) }, signal),
    }))
  }
}

/** Ask for days; where they are too many to be told apart, for weeks or months. */
async function askTime(choice: UsageChoice, signal: AbortSignal): Promise<TimeAnswer> {
  const ask = (report: Period): Promise<UsageAnswer> =>
    getJson<UsageAnswer>('/api/usage', { report, by: choice.by, ...rangeParams(choice) }, signal)
  const usual: Period = choice.per || (choice.since === '364d' && choice.until === '' ? 'weekly' : 'daily')
  const usage = await ask(usual)
  const first = usage.first_day ?? usage.rows[0]?.key.slice(0, 10) ?? usage.last_day
  const days = first && usage.last_day && first.length === 10 ? countDays(first, usage.last_day) : 1
  const period = choosePeriod(choice, days)
  return { period, usage: period === usual ? usage : await ask(period) }
}
