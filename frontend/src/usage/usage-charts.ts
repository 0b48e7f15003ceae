/** What was used, as charts: which numbers, in which order, and the sentence that tells them. */
import {
  formatAge,
  formatCalendarDay,
  formatClock,
  formatCost,
  formatCount,
  formatHours,
  formatModel,
  formatMoment,
  formatShare,
  formatTokens,
  pluralize,
} from '../formats'
import { conversationAddress } from '../routes.svelte'
import type { UsageTotals, UsageAnswer, UsageReportRow } from '../wire'
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

const TOKEN_COLUMNS: readonly Column[] = [
  { label: 'Input', unit: 'tokens' },
  { label: 'Output', unit: 'tokens' },
  { label: 'Cache written', unit: 'tokens' },
  { label: 'Cache read', unit: 'tokens' },
]

/** The columns of what was used; the last one only where a model has no price. */
function usedColumns(answer: UsageAnswer): readonly Column[] {
  return answer.unpriced_models.length
    ? [...TOKEN_COLUMNS, { label: 'Without a price', unit: 'text' }]
    : TOKEN_COLUMNS
}

function usedCells(answer: UsageAnswer, amount: UsageTotals): (string | number)[] {
  const tokens = [
    amount.input_tokens,
    amount.output_tokens,
    amount.cache_creation_tokens,
    amount.cache_read_tokens,
  ]
  return answer.unpriced_models.length ? [...tokens, amount.unpriced_models.join(', ')] : tokens
}

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

/** Write the key of a bar: a day, the first day of a week, a month. */
export function formatKeyDay(key: string, period: Period): string {
  if (period === 'monthly' || !/^\d{4}-\d\d-\d\d$/.test(key)) {
    return key
  }
  return period === 'weekly' ? `week of ${formatCalendarDay(key)}` : formatCalendarDay(key)
}

const PERIOD_WORDS: Readonly<Record<Period, string>> = { daily: 'day', weekly: 'week', monthly: 'month' }

export interface TimeChart extends Chart {
  readonly keys: readonly string[]
  readonly parts: readonly { readonly key: string; readonly label: string; readonly total: string }[]
  readonly values: PartValues
  readonly period: Period
  readonly measure: Measure
}

/** Cost or tokens over time, each bar stacked by model, project, agent or type of agent. */
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
      ...usedColumns(answer),
      ...parts.map((part) => ({ label: label(part), unit: measure })),
    ],
    rows: answer.rows.map((row) => ({
      ...plainRow(row.key, formatKeyDay(row.key, period), measureAmount(row, measure)),
      number: formatMeasure(measureAmount(row, measure), measure),
      cells: [
        row.key,
        row.cost_usd,
        ...usedCells(answer, row),
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

/** What the keys mean that name no agent and no type. */
const NO_TYPES: Readonly<Record<string, string>> = {
  main: 'Main conversation',
  inline: 'Agents in old files',
  unknown: 'Type not kept',
}

export function labelPart(
  key: string,
  by: string,
  names: ReadonlyMap<string, string>,
  others: number,
): string {
  if (key === OTHERS) {
    return `${formatCount(others)} others`
  }
  if (by === 'model') {
    return formatModel(key)
  }
  if (by === 'agent' || by === 'agent-type') {
    return NO_TYPES[key] ?? names.get(key) ?? key
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

export function plainRow(key: string, label: string, value: number): ChartRow {
  return { key, label, value, number: '', more: '', isWrong: false, cells: [], href: null }
}

export function behindAddress(choice: UsageChoice, behind: string, key: string, part?: string): string {
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
      ? `${pluralize(blocks.length, 'block')}, ${formatCost(most)} in the costliest.${running}${formatLimits(answer)}`
      : 'No block lies in these days.',
    command: usageCommand('usage blocks', choice),
    note: 'Blocks begin at the full hour of a first call. They are an estimate: no file says when Claude’s own window began.',
    columns: [
      { label: 'Begins', unit: 'time' },
      { label: 'Ends', unit: 'time' },
      { label: 'Cost', unit: 'cost' },
      { label: 'Calls', unit: 'count' },
      ...usedColumns(answer),
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
        row.projection?.cost_usd ? `about ${formatCost(row.projection.cost_usd)} at its end` : '',
      ]
        .filter(Boolean)
        .join(', '),
      cells: [
        row.start,
        row.end,
        row.cost_usd,
        row.calls,
        ...usedCells(answer, row),
        row.burn ? Math.round(row.burn.tokens_per_minute) : '',
        row.burn ? row.burn.cost_usd_per_hour : '',
        row.projection ? row.projection.cost_usd : '',
      ],
      href: behindAddress(choice, 'blocks', `${row.start ?? ''} ${row.end ?? ''}`),
    })),
    total: blocks.length,
  }
}

/** Say how much of the subscription's limits is used, as the client says, until when, and how old that is. */
function formatLimits(answer: UsageAnswer): string {
  const said = answer.limits.map((limit) => {
    // Five hours ahead the time of day says it all, also behind midnight.
    const resets = new Date(limit.resets_at ?? '')
    const moment = limit.name === 'five_hour' ? formatClock(resets) : formatMoment(resets)
    const until = limit.resets_at === null ? '' : `, until ${moment}`
    const age = formatAge((Date.now() - Date.parse(limit.heard_at)) / 1000)
    const heard = age === 'now' ? 'just now' : `${age} ago`
    return `${limit.label} ${formatShare(limit.used_percentage / 100)} used${until}, heard ${heard}`
  })
  return said.length ? ` The client says: ${said.join('; ')}.` : ''
}

/** Write when a block began and ends, as the chosen zone has it. */
function formatBlock(row: UsageReportRow, zone: string): string {
  return formatHours(new Date(row.start ?? ''), new Date(row.end ?? ''), zone)
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
      ...usedColumns(answer),
      { label: 'Id', unit: 'text' },
    ],
    rows: answer.rows.map((row) => ({
      ...plainRow(row.key, row.label ?? row.key.slice(0, 8), row.cost_usd ?? 0),
      number: formatAmount(row),
      more: row.project_name ?? '',
      cells: [
        row.label ?? row.key.slice(0, 8),
        row.project_name,
        row.cost_usd,
        ...usedCells(answer, row),
        row.key,
      ],
      href: row.open_id === null ? null : conversationAddress(row.open_id),
    })),
    total: answer.total_rows,
  }
}

/** The costliest branches; what was left behind is told first. */
export function branchChart(answer: UsageAnswer, choice: UsageChoice, shown: number): Chart {
  const left = answer.left_behind
  const total = answer.totals.cost_usd ?? 0
  const share = left && total > 0 ? formatShare((left.cost_usd ?? 0) / total) : ''
  const leftBehind =
    left && sumTokens(left) > 0
      ? `Work that was left behind cost ${formatAmount(left)}${share ? `, ${share} of all` : ''}.`
      : 'Nothing was spent on branches that were left behind.'
  return {
    title: 'Branches and work left behind',
    sentence: `${pluralize(answer.total_rows, 'branch', 'branches')}. ${leftBehind}`,
    command: usageCommand('usage branch', choice),
    note: 'What branches share is counted for one of them, the active one first. The path is all of a branch, from its start.',
    columns: [
      { label: 'Branch', unit: 'text' },
      { label: 'State', unit: 'text' },
      { label: 'Own cost', unit: 'cost' },
      { label: 'Path cost', unit: 'cost' },
      ...usedColumns(answer),
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
          ...usedCells(answer, row),
          row.session,
        ],
        href: row.open_id === null ? null : conversationAddress(row.open_id, { tip: row.tip }),
      }
    }),
    total: answer.total_rows,
  }
}
