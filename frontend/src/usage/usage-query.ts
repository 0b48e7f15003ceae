/** What the Usage page is asked for, and how it stands in the address and on the command line. */
import { buildAddress, type Params } from '../routes.svelte'

export type Breakdown = 'model' | 'project' | 'agent-type' | 'agent' | 'machine' | 'member'
export type Measure = 'cost' | 'tokens'
export type Period = 'daily' | 'weekly' | 'monthly'

export interface UsageChoice {
  /** Words for time as the command line has them; empty is all there is. */
  readonly since: string
  readonly until: string
  readonly zone: string
  readonly by: Breakdown
  readonly measure: Measure
  /** Empty where the length of the range decides. */
  readonly per: Period | ''
}

export interface Range {
  readonly since: string
  readonly until: string
}

export interface Preset {
  readonly value: string
  readonly label: string
  /** The range of the same length before it. */
  readonly before: Range
}

/** A word for a day means the whole of it, so that `6d` begins a week that ends today. */
export const PRESETS: readonly Preset[] = [
  { value: 'today', label: 'Today', before: { since: 'yesterday', until: 'yesterday' } },
  { value: '6d', label: '7 days', before: { since: '13d', until: '7d' } },
  { value: '29d', label: '30 days', before: { since: '59d', until: '30d' } },
  { value: '364d', label: 'Year', before: { since: '729d', until: '365d' } },
]
export const OTHER_RANGE = 'other'
export const YEAR = '364d'

export const BREAKDOWNS: readonly { readonly value: Breakdown; readonly label: string }[] = [
  { value: 'model', label: 'Model' },
  { value: 'project', label: 'Project' },
  { value: 'agent-type', label: 'Type of agent' },
  { value: 'agent', label: 'Agent' },
]
/** Whose a call was, which only a team's history tells. */
export const TEAM_BREAKDOWNS: typeof BREAKDOWNS = [
  ...BREAKDOWNS,
  { value: 'machine', label: 'Machine' },
  { value: 'member', label: 'Member' },
]
export const MEASURES: readonly { readonly value: Measure; readonly label: string }[] = [
  { value: 'cost', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
]
export const PERIODS: readonly { readonly value: Period; readonly label: string }[] = [
  { value: 'daily', label: 'Day' },
  { value: 'weekly', label: 'Week' },
  { value: 'monthly', label: 'Month' },
]

const USUAL = '29d'
const LONGEST_BY_DAY = 62
const LONGEST_BY_WEEK = 400

export function parseChoice(params: URLSearchParams, breakdowns = BREAKDOWNS): UsageChoice {
  const known = <T extends string>(name: string, options: readonly { readonly value: T }[], usual: T): T =>
    options.find((option) => option.value === params.get(name))?.value ?? usual
  const hasRange = params.has('since') || params.has('until')
  return {
    since: hasRange ? (params.get('since') ?? '') : USUAL,
    until: params.get('until') ?? '',
    zone: params.get('zone') ?? '',
    by: known('by', breakdowns, 'model'),
    measure: known('measure', MEASURES, 'cost'),
    per: known('per', [{ value: '' as const }, ...PERIODS], ''),
  }
}

/** Write the address of a choice, and of the sessions behind one of its marks. */
export function usageAddress(choice: UsageChoice, behind: Behind | null = null): string {
  const { by, measure, ...rest } = choice
  return buildAddress('/usage', {
    ...rest,
    by: by === 'model' ? '' : by,
    measure: measure === 'cost' ? '' : measure,
    ...behind,
  })
}

/** Which of the presets a range is. */
export function presetOf(choice: Range): Preset | null {
  return choice.until === '' ? (PRESETS.find((one) => one.value === choice.since) ?? null) : null
}

/** What the server is asked for with every report. */
export function rangeParams({ since, until, zone }: UsageChoice): Params {
  return { since, until, zone }
}

/** The range of the heat maps: a year, unless somebody named the days. */
export function activityChoice(choice: UsageChoice): UsageChoice {
  return presetOf(choice) ? { ...choice, since: YEAR } : choice
}

/** Write the command that prints the same numbers. */
export function usageCommand(words: string, choice: UsageChoice): string {
  const options = (['since', 'until', 'zone'] as const)
    .filter((name) => choice[name] !== '')
    .map((name) => ` --${name} ${quote(choice[name])}`)
  return `bough ${words}${options.join('')}`
}

function quote(word: string): string {
  return /^[\w./:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Choose how long a bar lasts, by the number of days. */
export function choosePeriod(choice: UsageChoice, days: number): Period {
  if (choice.per !== '') {
    return choice.per
  }
  return days <= LONGEST_BY_DAY ? 'daily' : days <= LONGEST_BY_WEEK ? 'weekly' : 'monthly'
}

/** A mark of a chart, by its report and key; `part` is one part of a bar. */
export interface Behind {
  readonly behind: string
  readonly key: string
  readonly part?: string
}

export function parseBehind(params: URLSearchParams): Behind | null {
  const behind = params.get('behind') ?? ''
  const part = params.get('part')
  return behind ? { behind, key: params.get('key') ?? '', ...(part === null ? {} : { part }) } : null
}

/** The first and the last day that are counted; null where nothing bounds them. */
export interface CountedDays {
  readonly first: string | null
  readonly last: string | null
}

/**
 * The range of one bar or block: its key names a day, a week by its first day, a month, a block.
 *
 * A week or a month that is cut by the range counts as the bar does: only what lies in both.
 */
export function rangeOfKey(mark: Behind, choice: Range, counted: CountedDays): Range {
  const { behind, key } = mark
  if (behind === 'blocks') {
    const [since = '', until = ''] = key.split(' ')
    return { since, until }
  }
  const begins = behind === 'monthly' ? `${key}-01` : key
  const ends = behind === 'monthly' ? `${key}-31` : behind === 'weekly' ? addDays(key, 6) : key
  return {
    since: choice.since !== '' && counted.first !== null && begins <= counted.first ? choice.since : key,
    until:
      choice.until !== '' && counted.last !== null && ends >= counted.last
        ? choice.until
        : behind === 'weekly'
          ? ends
          : key,
  }
}

/** Give the day so many days after another; days are written 2026-11-15. */
export function addDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/** Count the days from one to another, both included. */
export function countDays(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1
}

/** List the keys of a chart from its first day to its last, those without use too. */
export function listKeys(period: Period, first: string, last: string, weekStart: string | null): string[] {
  const keys: string[] = []
  if (period === 'monthly') {
    for (let at = first.slice(0, 7); at <= last.slice(0, 7); at = addDays(`${at}-28`, 4).slice(0, 7)) {
      keys.push(at)
    }
    return keys
  }
  const step = period === 'weekly' ? 7 : 1
  let at = first
  if (period === 'weekly' && weekStart !== null) {
    const back = (((Date.parse(first) - Date.parse(weekStart)) / 86_400_000) % 7) + 7
    at = addDays(first, -(back % 7))
  }
  for (; at <= last; at = addDays(at, step)) {
    keys.push(at)
  }
  return keys
}
