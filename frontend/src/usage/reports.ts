/** Reports of the server as charts: which numbers, in which order, and the sentence that tells them. */
import {
  formatCost,
  formatCount,
  formatDate,
  formatDuration,
  formatModel,
  formatShare,
  formatTokens,
  pluralize,
} from '../formats'
import { conversationAddress } from '../routes.svelte'
import type {
  ActivityReport,
  CompactionReport,
  ErrorReport,
  FileReport,
  HookReport,
  ToolReport,
  UsageTotals,
  UsageAnswer,
  UsageReportRow,
} from '../wire'
import type { Chart, ChartRow, Column } from './chart'
import type { PartValues } from './geometry'
import {
  countDays,
  listKeys,
  usageAddress,
  usageCommand,
  type Behind,
  type Measure,
  type Period,
  type UsageChoice,
} from './usage-query'

export const OTHERS = 'others'
const PARTS_SHOWN = 7
const UNDATED = 'undated'
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

const TOKEN_COLUMNS: readonly Column[] = [
  { label: 'Input', unit: 'tokens' },
  { label: 'Output', unit: 'tokens' },
  { label: 'Cache written', unit: 'tokens' },
  { label: 'Cache read', unit: 'tokens' },
]

export function sumTokens(amount: UsageTotals): number {
  return amount.input_tokens + amount.output_tokens + amount.cache_creation_tokens + amount.cache_read_tokens
}

export function measureAmount(amount: UsageTotals, measure: Measure): number {
  return measure === 'cost' ? (amount.cost_usd ?? 0) : sumTokens(amount)
}

export function formatMeasure(value: number, measure: Measure): string {
  return measure === 'cost' ? formatCost(value) : `${formatTokens(value)} tokens`
}

export function formatAmount(amount: UsageTotals, { inTable = false } = {}): string {
  return formatCost(amount.cost_usd, { partlyUnknown: amount.unpriced_models.length > 0, inTable })
}

/** Write a day as people do: 15 Nov. */
export function formatDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return Number.isNaN(year) ? day : formatDate(new Date(year, month - 1, date))
}

/** Write the key of a bar: a day, the first day of a week, a month. */
export function formatKeyDay(key: string, period: Period): string {
  if (period === 'monthly' || !/^\d{4}-\d\d-\d\d$/.test(key)) {
    return key
  }
  return period === 'weekly' ? `week of ${formatDay(key)}` : formatDay(key)
}

const PERIOD_WORDS: Readonly<Record<Period, string>> = { daily: 'day', weekly: 'week', monthly: 'month' }

export interface TimeChart extends Chart {
  readonly keys: readonly string[]
  readonly parts: readonly { readonly key: string; readonly label: string; readonly total: string }[]
  readonly values: PartValues
  readonly period: Period
  readonly measure: Measure
}

/** Cost or tokens over time, each bar stacked by model, project or agent. */
export function timeChart(answer: UsageAnswer, choice: UsageChoice, period: Period): TimeChart {
  const { measure, by } = choice
  const names = new Map(answer.names.map((one) => [one.key, one.name]))
  const dated = answer.rows.filter((row) => row.key !== UNDATED)
  const totals = new Map<string, number>()
  for (const part of answer.rows.flatMap((row) => row.by)) {
    totals.set(part.key, (totals.get(part.key) ?? 0) + measureAmount(part, measure))
  }
  const largest = [...totals].filter(([, total]) => total > 0).sort((one, other) => other[1] - one[1])
  const shown = largest
    .slice(0, largest.length > PARTS_SHOWN + 1 ? PARTS_SHOWN : undefined)
    .map(([key]) => key)
  const rest = largest.slice(shown.length)
  const parts = [...shown, ...(rest.length ? [OTHERS] : [])]
  const values = new Map(
    dated.map((row) => {
      const own = new Map<string, number>()
      for (const part of row.by) {
        const key = shown.includes(part.key) ? part.key : OTHERS
        own.set(key, (own.get(key) ?? 0) + measureAmount(part, measure))
      }
      return [row.key, own]
    }),
  )
  const first = answer.first_day ?? dated[0]?.key.padEnd(10, '-01') ?? answer.last_day ?? ''
  const last = answer.last_day ?? dated.at(-1)?.key ?? first
  const total = measureAmount(answer.totals, measure)
  const label = (key: string): string => labelPart(key, by, names, rest.length)
  const sums = new Map([
    ...largest.slice(0, shown.length),
    [OTHERS, rest.reduce((sum, one) => sum + one[1], 0)],
  ])
  return {
    title: `${measure === 'cost' ? 'Cost' : 'Tokens'} by ${PERIOD_WORDS[period]}`,
    sentence: tellTime(
      answer,
      choice,
      period,
      parts[0] === undefined ? null : [label(parts[0]), sums.get(parts[0]) ?? 0],
    ),
    command: usageCommand(`usage ${period} --by ${by}`, choice),
    columns: [
      { label: period === 'daily' ? 'Day' : period === 'weekly' ? 'Week' : 'Month', unit: 'text' },
      { label: 'Cost', unit: 'cost' },
      ...TOKEN_COLUMNS,
      ...parts.map((part) => ({ label: label(part), unit: measure })),
    ],
    rows: answer.rows.map((row) => ({
      ...plainRow(row.key, formatKeyDay(row.key, period), measureAmount(row, measure)),
      number: formatMeasure(measureAmount(row, measure), measure),
      cells: [
        row.key,
        row.cost_usd,
        ...tokenCells(row),
        ...parts.map((part) => values.get(row.key)?.get(part) ?? 0),
      ],
      href: row.key === UNDATED ? null : usageAddress(choice, { behind: period, key: row.key }),
    })),
    keys: first ? listKeys(period, first, last, period === 'weekly' ? (dated[0]?.key ?? null) : null) : [],
    parts: parts.map((key) => ({
      key,
      label: label(key),
      total: `${formatMeasure(sums.get(key) ?? 0, measure)}, ${formatShare(total ? (sums.get(key) ?? 0) / total : 0)}`,
    })),
    values,
    period,
    measure,
  }
}

function labelPart(key: string, by: string, names: ReadonlyMap<string, string>, others: number): string {
  if (key === OTHERS) {
    return `${formatCount(others)} others`
  }
  if (by === 'model') {
    return formatModel(key)
  }
  if (by === 'agent') {
    return key === 'main' ? 'No agent' : key === 'inline' ? 'Agents in old files' : (names.get(key) ?? key)
  }
  return names.get(key) ?? key
}

function tellTime(
  answer: UsageAnswer,
  { measure }: UsageChoice,
  period: Period,
  largest: readonly [string, number] | null,
): string {
  const total = measureAmount(answer.totals, measure)
  const most = answer.rows.reduce<UsageReportRow | null>(
    (best, row) => (best && measureAmount(best, measure) >= measureAmount(row, measure) ? best : row),
    null,
  )
  if (!most || !largest || total <= 0) {
    return 'Nothing was used in these days.'
  }
  const days = answer.first_day && answer.last_day ? countDays(answer.first_day, answer.last_day) : null
  const range = days === null ? 'In all' : days === 1 ? 'In one day' : `In ${pluralize(days, 'day')}`
  const spent = measure === 'cost' ? formatAmount(answer.totals) : formatMeasure(total, measure)
  const share = formatShare(largest[1] / total)
  const peak = `${formatMeasure(measureAmount(most, measure), measure)} in the largest ${PERIOD_WORDS[period]}, ${formatKeyDay(most.key, period)}`
  return `${range} ${spent}: ${peak}; ${largest[0]} is ${share} of it.`
}

function tokenCells(amount: UsageTotals): number[] {
  return [amount.input_tokens, amount.output_tokens, amount.cache_creation_tokens, amount.cache_read_tokens]
}

function plainRow(key: string, label: string, value: number): ChartRow {
  return { key, label, value, number: '', more: '', isWrong: false, cells: [], href: null }
}

function behindAddress(choice: UsageChoice, behind: string, key: string, part?: string): string {
  const mark: Behind = { behind, key, ...(part === undefined ? {} : { part }) }
  return usageAddress(choice, mark)
}

/** Name the sessions behind one part of a bar; what is many parts leads to those of the whole bar. */
export function partAddress(choice: UsageChoice, period: Period, key: string, part: string): string {
  return behindAddress(choice, period, key, part === OTHERS ? undefined : part)
}

/** Five-hour blocks: what each used, and how fast. */
export function blockChart(answer: UsageAnswer, choice: UsageChoice, shown: number): Chart {
  const blocks = answer.rows.filter((row) => row.gap !== true).toReversed()
  const now = blocks.find((row) => row.active)
  const most = blocks.reduce((best, row) => Math.max(best, row.cost_usd ?? 0), 0)
  const running = now
    ? ` The one that runs began ${formatBlock(now, choice.zone)}: ${formatAmount(now)}${now.burn ? `, ${formatTokens(Math.round(now.burn.tokens_per_minute))} tokens a minute` : ''}${now.projection ? `, about ${formatCost(now.projection.cost_usd)} at its end` : ''}.`
    : ' None runs now.'
  return {
    title: 'Five-hour blocks',
    sentence: blocks.length
      ? `${pluralize(blocks.length, 'block')}, ${formatCost(most)} in the costliest.${running}`
      : 'No block lies in these days.',
    command: usageCommand('usage blocks', choice),
    note: 'Blocks begin at the full hour of a first call. They are an estimate: no file says when Claude’s own window began.',
    columns: [
      { label: 'Begins', unit: 'time' },
      { label: 'Ends', unit: 'time' },
      { label: 'Cost', unit: 'cost' },
      { label: 'Calls', unit: 'count' },
      ...TOKEN_COLUMNS,
      { label: 'Tokens a minute', unit: 'count' },
      { label: 'Cost an hour', unit: 'cost' },
      { label: 'Cost at its end', unit: 'cost' },
    ],
    rows: blocks.slice(0, shown).map((row) => ({
      ...plainRow(row.key, formatBlock(row, choice.zone), row.cost_usd ?? 0),
      number: formatAmount(row),
      more: [
        row.active ? 'runs now' : '',
        row.burn ? `${formatTokens(Math.round(row.burn.tokens_per_minute))}/min` : '',
        row.projection ? `about ${formatCost(row.projection.cost_usd)} at its end` : '',
      ]
        .filter(Boolean)
        .join(', '),
      cells: [
        row.start,
        row.end,
        row.cost_usd,
        row.calls,
        ...tokenCells(row),
        row.burn ? Math.round(row.burn.tokens_per_minute) : '',
        row.burn ? row.burn.cost_usd_per_hour : '',
        row.projection ? row.projection.cost_usd : '',
      ],
      href: behindAddress(choice, 'blocks', `${row.start ?? ''} ${row.end ?? ''}`),
    })),
  }
}

/** Write when a block began and ends, as the chosen zone has it. */
function formatBlock(row: UsageReportRow, zone: string): string {
  const [start, end] = [new Date(row.start ?? ''), new Date(row.end ?? '')]
  try {
    const timeZone = zone && zone !== 'local' ? { timeZone: zone } : {}
    const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...timeZone })
    const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...timeZone })
    return `${day.format(start)} ${hour.format(start)}–${hour.format(end)}`
  } catch {
    return row.key
  }
}

/** The costliest sessions. */
export function sessionChart(answer: UsageAnswer, choice: UsageChoice): Chart {
  const [first] = answer.rows
  return {
    title: 'Costliest sessions',
    sentence: first
      ? `${pluralize(answer.total_rows, 'session')} cost ${formatAmount(answer.totals)}; the costliest, “${first.label ?? first.key}”, ${formatAmount(first)}.`
      : 'No session used anything in these days.',
    command: usageCommand('usage session', choice),
    columns: [
      { label: 'Session', unit: 'text' },
      { label: 'Project', unit: 'text' },
      { label: 'Cost', unit: 'cost' },
      ...TOKEN_COLUMNS,
      { label: 'Id', unit: 'text' },
    ],
    rows: answer.rows.map((row) => ({
      ...plainRow(row.key, row.label ?? row.key.slice(0, 8), row.cost_usd ?? 0),
      number: formatAmount(row),
      more: row.project_name ?? '',
      cells: [row.label ?? row.key.slice(0, 8), row.project_name, row.cost_usd, ...tokenCells(row), row.key],
      href: row.open_id === null ? null : conversationAddress(row.open_id),
    })),
  }
}

/** The costliest branches; what was left behind is told first. */
export function branchChart(answer: UsageAnswer, choice: UsageChoice, shown: number): Chart {
  const left = answer.left_behind
  const total = answer.totals.cost_usd ?? 0
  const share = left && total > 0 ? formatShare((left.cost_usd ?? 0) / total) : ''
  const told =
    left && sumTokens(left) > 0
      ? `Work that was left behind cost ${formatAmount(left)}${share ? `, ${share} of all` : ''}.`
      : 'Nothing was spent on branches that were left behind.'
  return {
    title: 'Branches and work left behind',
    sentence: `${pluralize(answer.total_rows, 'branch', 'branches')}. ${told}`,
    command: usageCommand('usage branch', choice),
    note: 'What branches share is counted for one of them, the active one first. The path is all of a branch, from its start.',
    columns: [
      { label: 'Branch', unit: 'text' },
      { label: 'State', unit: 'text' },
      { label: 'Own cost', unit: 'cost' },
      { label: 'Path cost', unit: 'cost' },
      ...TOKEN_COLUMNS,
      { label: 'Session', unit: 'text' },
    ],
    rows: answer.rows.slice(0, shown).map((row) => {
      const state = row.tip === null ? 'on no branch' : row.active ? 'active' : 'left behind'
      return {
        ...plainRow(row.key, row.label ?? row.key.slice(0, 8), row.cost_usd ?? 0),
        number: formatAmount(row),
        more: state,
        cells: [
          row.label ?? row.key.slice(0, 8),
          state,
          row.cost_usd,
          row.path?.cost_usd ?? null,
          ...tokenCells(row),
          row.session,
        ],
        href: row.open_id === null ? null : conversationAddress(row.open_id, { tip: row.tip }),
      }
    }),
  }
}

/** Tools: calls, how they ended, how long they took. */
export function toolChart(report: ToolReport, choice: UsageChoice): Chart {
  const { totals, rows } = report
  const [first] = rows
  return {
    title: 'Tools',
    sentence: first
      ? `${pluralize(totals.calls, 'call')} of ${pluralize(rows.length, 'tool')} in ${pluralize(totals.sessions, 'session')}, ${formatCount(totals.failed)} failed, ${formatCount(totals.refused)} refused; most of ${first.tool}, ${formatCount(first.calls)}.`
      : 'No tool was called in these days.',
    command: usageCommand('stats tools', choice),
    note: 'Durations run from call to result; where the client measured none, your time to allow it is in them.',
    columns: [
      { label: 'Tool', unit: 'text' },
      { label: 'Calls', unit: 'count' },
      { label: 'Failed', unit: 'count' },
      { label: 'Refused', unit: 'count' },
      { label: 'No result', unit: 'count' },
      { label: 'p50', unit: 'milliseconds' },
      { label: 'p95', unit: 'milliseconds' },
      { label: 'Output', unit: 'bytes' },
      { label: 'Sessions', unit: 'count' },
      { label: 'Last', unit: 'time' },
    ],
    rows: rows.map((row) => ({
      ...plainRow(row.tool, row.tool, row.calls),
      number: formatCount(row.calls),
      more: [tellWrong(row.failed, 'failed'), tellWrong(row.refused, 'refused'), tellTimes(row)]
        .filter(Boolean)
        .join(', '),
      isWrong: row.failed > 0,
      cells: [
        row.tool,
        row.calls,
        row.failed,
        row.refused,
        row.unfinished,
        row.p50_ms,
        row.p95_ms,
        row.output_bytes,
        row.sessions,
        row.last,
      ],
      href: behindAddress(choice, 'tools', row.tool),
    })),
  }
}

/** Hooks by event and command: runs, how they ended, and how long people waited for them. */
export function hookChart(report: HookReport, choice: UsageChoice): Chart {
  const { totals, rows } = report
  return {
    title: 'Hooks',
    sentence: rows.length
      ? `${pluralize(totals.runs, 'run')} of ${pluralize(rows.length, 'hook')}: ${formatCount(totals.failed)} failed, ${formatCount(totals.blocked)} blocked something; they were waited for ${formatMinutes(totals.waited_ms)}.`
      : 'No hook ran in these days.',
    command: usageCommand('stats hooks', choice),
    note: 'Durations are those that the client kept; of other runs none is known.',
    columns: [
      { label: 'Event', unit: 'text' },
      { label: 'Command', unit: 'text' },
      { label: 'Runs', unit: 'count' },
      { label: 'Failed', unit: 'count' },
      { label: 'Blocked', unit: 'count' },
      { label: 'End not known', unit: 'count' },
      { label: 'p50', unit: 'milliseconds' },
      { label: 'p95', unit: 'milliseconds' },
      { label: 'Waited', unit: 'milliseconds' },
      { label: 'Sessions', unit: 'count' },
      { label: 'Last', unit: 'time' },
    ],
    rows: rows.map((row) => ({
      ...plainRow(`${row.event} ${row.command}`, `${row.event} ${row.command}`, row.runs),
      number: formatCount(row.runs),
      more: [
        tellWrong(row.failed, 'failed'),
        tellWrong(row.blocked, 'blocked'),
        tellTimes(row),
        row.waited_ms > 0 ? `waited ${formatMinutes(row.waited_ms)}` : '',
      ]
        .filter(Boolean)
        .join(', '),
      isWrong: row.failed > 0,
      cells: [
        row.event,
        row.command,
        row.runs,
        row.failed,
        row.blocked,
        row.unknown,
        row.p50_ms,
        row.p95_ms,
        row.waited_ms,
        row.sessions,
        row.last,
      ],
      href: behindAddress(choice, 'hooks', `${row.event} ${row.command}`),
    })),
  }
}

function formatMinutes(milliseconds: number): string {
  return formatDuration(milliseconds / 1_000)
}

function tellWrong(number: number, word: string): string {
  return number ? `${formatCount(number)} ${word}` : ''
}

function tellTimes({ p50_ms, p95_ms }: { p50_ms: number | null; p95_ms: number | null }): string {
  return p50_ms === null ? '' : `p50 ${formatMinutes(p50_ms)}, p95 ${formatMinutes(p95_ms ?? p50_ms)}`
}

/** Errors, retries and interruptions by reason. */
export function errorChart(report: ErrorReport, choice: UsageChoice): Chart {
  const { totals, rows } = report
  return {
    title: 'Errors and retries',
    sentence: rows.length
      ? `${pluralize(totals.errors, 'error')}, ${pluralize(totals.retries, 'retry', 'retries')}, ${pluralize(totals.interruptions, 'interruption')}.`
      : 'Nothing went wrong in these days.',
    command: usageCommand('stats errors', choice),
    columns: [
      { label: 'Kind', unit: 'text' },
      { label: 'Reason', unit: 'text' },
      { label: 'Times', unit: 'count' },
      { label: 'Sessions', unit: 'count' },
      { label: 'First', unit: 'time' },
      { label: 'Last', unit: 'time' },
      { label: 'Days', unit: 'text' },
      { label: 'Newest', unit: 'text' },
    ],
    rows: rows.map((row) => ({
      ...plainRow(`${row.kind} ${row.reason}`, `${row.kind}: ${row.reason.replaceAll('_', ' ')}`, row.count),
      number: formatCount(row.count),
      more: `in ${pluralize(row.sessions, 'session')}, ${tellDays(row.days)}`,
      isWrong: row.kind === 'error',
      cells: [
        row.kind,
        row.reason,
        row.count,
        row.sessions,
        row.first,
        row.last,
        row.days.map((one) => `${one.day}: ${one.count}`).join('; '),
        row.example,
      ],
      href: behindAddress(choice, 'errors', `${row.kind} ${row.reason}`),
    })),
  }
}

function tellDays(days: readonly { readonly day: string }[]): string {
  const last = days.at(-1)
  return days.length === 1 && last ? `on ${formatDay(last.day)}` : `on ${pluralize(days.length, 'day')}`
}

const TRIGGERS: Readonly<Record<string, string>> = { auto: 'automatic', manual: 'by you' }

/** Compactions by what led to them. */
export function compactionChart(report: CompactionReport, choice: UsageChoice): Chart {
  const { totals, rows } = report
  return {
    title: 'Compactions',
    sentence: rows.length
      ? `${pluralize(totals.count, 'compaction')} in ${pluralize(totals.sessions, 'session')}, at most ${formatCount(totals.most_in_a_session)} in one.`
      : 'Nothing was compacted in these days.',
    command: usageCommand('stats compactions', choice),
    note: 'Tokens are medians of what clients kept.',
    columns: [
      { label: 'Led to by', unit: 'text' },
      { label: 'Times', unit: 'count' },
      { label: 'Tokens before', unit: 'tokens' },
      { label: 'Tokens after', unit: 'tokens' },
      { label: 'Most before', unit: 'tokens' },
      { label: 'Sessions', unit: 'count' },
      { label: 'Last', unit: 'time' },
    ],
    rows: rows.map((row) => ({
      ...plainRow(row.trigger, TRIGGERS[row.trigger] ?? row.trigger, row.count),
      number: formatCount(row.count),
      more: row.tokens_before === null ? '' : `at ${formatTokens(row.tokens_before)} tokens`,
      cells: [
        TRIGGERS[row.trigger] ?? row.trigger,
        row.count,
        row.tokens_before,
        row.tokens_after,
        row.largest_before,
        row.sessions,
        row.last,
      ],
      href: behindAddress(choice, 'compactions', row.trigger),
    })),
  }
}

/** Files that calls read or changed, over all sessions. */
export function fileChart(report: FileReport, choice: UsageChoice): Chart {
  const { totals, rows } = report
  return {
    title: 'Files',
    sentence: rows.length
      ? `${pluralize(totals.files, 'file')}, ${formatCount(totals.changed)} of them changed: ${pluralize(totals.edits, 'edit')}, ${pluralize(totals.writes, 'write')}, ${pluralize(totals.reads, 'read')}.`
      : 'No file was touched in these days.',
    command: usageCommand('stats files', choice),
    columns: [
      { label: 'File', unit: 'text' },
      { label: 'Edits', unit: 'count' },
      { label: 'Writes', unit: 'count' },
      { label: 'Reads', unit: 'count' },
      { label: 'Failed', unit: 'count' },
      { label: 'Sessions', unit: 'count' },
      { label: 'Last', unit: 'time' },
    ],
    rows: rows.map((row) => ({
      ...plainRow(row.path, row.path, row.edits + row.writes + row.reads + row.failed),
      number: formatCount(row.edits + row.writes + row.reads + row.failed),
      more: `${pluralize(row.edits + row.writes, 'change')}, in ${pluralize(row.sessions, 'session')}`,
      cells: [row.path, row.edits, row.writes, row.reads, row.failed, row.sessions, row.last],
      href: behindAddress(choice, 'files', row.path),
    })),
  }
}

/** Activity by day: prompts and answers. */
export function dayChart(report: ActivityReport, choice: UsageChoice): Chart {
  const busiest = report.days.reduce<ActivityReport['days'][number] | null>(
    (best, day) => (best && best.prompts + best.answers >= day.prompts + day.answers ? best : day),
    null,
  )
  const { totals } = report
  return {
    title: 'Activity by day',
    sentence: busiest
      ? `${pluralize(totals.prompts, 'prompt')} and ${pluralize(totals.answers, 'answer')} on ${pluralize(totals.active_days, 'day')}, most on ${formatDay(busiest.day)}: ${formatCount(busiest.prompts)} and ${formatCount(busiest.answers)}.`
      : 'Nothing happened in these days.',
    command: usageCommand('stats activity', choice),
    columns: [
      { label: 'Day', unit: 'text' },
      { label: 'Prompts', unit: 'count' },
      { label: 'Answers', unit: 'count' },
      { label: 'Sessions', unit: 'count' },
    ],
    rows: report.days
      .filter((day) => day.prompts + day.answers > 0)
      .map((day) => ({
        ...plainRow(day.day, formatDay(day.day), day.prompts + day.answers),
        number: `${pluralize(day.prompts, 'prompt')}, ${pluralize(day.answers, 'answer')}`,
        cells: [day.day, day.prompts, day.answers, day.sessions],
        href: behindAddress(choice, 'activity', day.day),
      })),
  }
}

/** Activity by weekday and hour. */
export function hourChart(report: ActivityReport, choice: UsageChoice): Chart {
  const busiest = report.hours.reduce<ActivityReport['hours'][number] | null>(
    (best, one) => (best && best.prompts + best.answers >= one.prompts + one.answers ? best : one),
    null,
  )
  return {
    title: 'Activity by hour of the week',
    sentence: busiest
      ? `Most happened on ${formatHour(`${busiest.weekday}-${busiest.hour}`)}: ${pluralize(busiest.prompts, 'prompt')} and ${pluralize(busiest.answers, 'answer')}.`
      : 'Nothing happened in these days.',
    command: usageCommand('stats activity', choice),
    columns: [
      { label: 'Weekday', unit: 'text' },
      { label: 'Hour', unit: 'count' },
      { label: 'Prompts', unit: 'count' },
      { label: 'Answers', unit: 'count' },
    ],
    rows: report.hours.map((one) => {
      const key = `${one.weekday}-${one.hour}`
      return {
        ...plainRow(key, formatHour(key), one.prompts + one.answers),
        number: `${pluralize(one.prompts, 'prompt')}, ${pluralize(one.answers, 'answer')}`,
        cells: [WEEKDAYS[one.weekday - 1] ?? '', one.hour, one.prompts, one.answers],
        href: behindAddress(choice, 'activity', key),
      }
    }),
  }
}

/** Write an hour of the week: Monday 14:00. */
export function formatHour(key: string): string {
  const [weekday = 1, hour = 0] = key.split('-').map(Number)
  return `${WEEKDAYS[weekday - 1] ?? ''} ${String(hour).padStart(2, '0')}:00`
}
