/** Where marks stand: bars that are stacked, squares of heat maps. No value is smoothed. */
import { scaleBand, scaleLinear, scaleQuantize } from 'd3-scale'
import { stack } from 'd3-shape'

export interface BarSegment {
  readonly key: string
  readonly part: string
  readonly value: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface AxisTick {
  readonly at: number
  readonly value: number
}

export interface StackedBars {
  readonly segments: readonly BarSegment[]
  readonly ticks: readonly AxisTick[]
  /** The middle of each bar. */
  readonly middles: readonly { readonly key: string; readonly at: number }[]
  readonly labelled: readonly string[]
}

export type PartValues = ReadonlyMap<string, ReadonlyMap<string, number>>

const TICKS = 4
const WIDEST_BAR = 56
const GAP = 0.18
const SMALLEST = 1

/** Stack the parts of every key; keys without a value have no bar. */
export function stackBars(
  keys: readonly string[],
  parts: readonly string[],
  values: PartValues,
  width: number,
  height: number,
): StackedBars {
  const x = scaleBand()
    .domain(keys)
    .range([0, width])
    .paddingInner(GAP)
    .paddingOuter(GAP / 2)
  const layers = stack<string>()
    .keys(parts)
    .value((key, part) => values.get(key)?.get(part) ?? 0)(keys)
  const most = Math.max(0, ...layers.flatMap((layer) => layer.map((one) => one[1])))
  const y = scaleLinear()
    .domain([0, most || 1])
    .nice(TICKS)
    .range([height, 0])
  const band = Math.min(x.bandwidth(), WIDEST_BAR)
  const segments: BarSegment[] = []
  for (const layer of layers) {
    layer.forEach(([from, to], at) => {
      const key = keys[at]
      if (key !== undefined && to > from) {
        // What is there can be seen, however little it is beside the rest.
        const tall = Math.max(SMALLEST, y(from) - y(to))
        const left = (x(key) ?? 0) + (x.bandwidth() - band) / 2
        segments.push({
          key,
          part: layer.key,
          value: to - from,
          x: left,
          y: y(to),
          width: band,
          height: tall,
        })
      }
    })
  }
  segments.sort((one, other) => keys.indexOf(one.key) - keys.indexOf(other.key) || other.y - one.y)
  return {
    segments,
    ticks: most ? y.ticks(TICKS).map((value) => ({ value, at: y(value) })) : [],
    middles: keys.map((key) => ({ key, at: (x(key) ?? 0) + x.bandwidth() / 2 })),
    labelled: chooseLabels(keys, width),
  }
}

const LABEL_WIDTH = 64

/** Choose the keys that have room for a label, evenly spread, the first among them. */
export function chooseLabels(keys: readonly string[], width: number): string[] {
  const room = Math.max(1, Math.floor(width / LABEL_WIDTH))
  const step = Math.ceil(keys.length / room)
  return keys.filter((_, at) => at % step === 0)
}

/** How long a bar is beside the longest. */
export function barLength(value: number, most: number): number {
  return scaleLinear()
    .domain([0, most || 1])
    .range([0, 100])
    .clamp(true)(value)
}

export interface HeatCell {
  readonly key: string
  readonly column: number
  readonly row: number
  readonly value: number
  /** 0 for nothing, then 1 to 4. */
  readonly level: number
}

const LEVELS = [1, 2, 3, 4] as const

/** Put a number into one of four levels between nothing and the most. */
export function levelOf(value: number, most: number): number {
  return value > 0 ? scaleQuantize().domain([0, most]).range(LEVELS)(value) : 0
}

export interface DayValue {
  readonly day: string
  readonly value: number
}

/** Lay days out as a calendar: a column for each week, a row for each weekday from `firstDay` on. */
export function placeDays(days: readonly DayValue[], firstDay = 0): HeatCell[] {
  const first = days[0]
  if (!first) {
    return []
  }
  const most = Math.max(0, ...days.map((one) => one.value))
  const rowOf = (day: string): number => weekRow(weekdayOf(day), firstDay)
  const start = Date.parse(first.day) / 86_400_000 - rowOf(first.day)
  return days.map(({ day, value }) => ({
    key: day,
    column: Math.floor((Date.parse(day) / 86_400_000 - start) / 7),
    row: rowOf(day),
    value,
    level: levelOf(value, most),
  }))
}

/** Lay hours of the week out: a column for each hour, a row for each weekday from `firstDay` on. */
export function placeHours(
  hours: readonly { readonly weekday: number; readonly hour: number; readonly value: number }[],
  firstDay = 0,
): HeatCell[] {
  const most = Math.max(0, ...hours.map((one) => one.value))
  const known = new Map(hours.map((one) => [`${one.weekday}-${one.hour}`, one.value]))
  return Array.from({ length: 7 * 24 }, (_, at) => {
    const [row, column] = [Math.floor(at / 24), at % 24]
    const key = `${((row + firstDay) % 7) + 1}-${column}`
    const value = known.get(key) ?? 0
    return { key, column, row, value, level: levelOf(value, most) }
  })
}

/** Tell in which row a weekday stands where weeks begin on `firstDay`. */
function weekRow(weekday: number, firstDay: number): number {
  return (weekday - firstDay + 7) % 7
}

/** Count from Monday, which is 0. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}
