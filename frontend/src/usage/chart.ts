/** A chart as data: rows with their cells, a sentence that tells it, and the command behind it. */
import {
  formatCost,
  formatCount,
  formatDuration,
  formatMoment,
  formatSize,
  formatTokens,
  MISSING,
} from '../formats'

export type Unit = 'text' | 'count' | 'tokens' | 'cost' | 'milliseconds' | 'bytes' | 'time' | 'rate'
export type Cell = string | number | null

export interface Column {
  readonly label: string
  readonly unit: Unit
}

export interface ChartRow {
  readonly key: string
  readonly label: string
  /** How long its bar is. */
  readonly value: number
  /** What stands beside the bar. */
  readonly number: string
  /** What went wrong there, or another word about it. */
  readonly more: string
  readonly isWrong: boolean
  readonly cells: readonly Cell[]
  /** The sessions behind it; null where there are none to show. */
  readonly href: string | null
}

export interface Chart {
  readonly title: string
  readonly sentence: string
  readonly columns: readonly Column[]
  readonly rows: readonly ChartRow[]
  readonly command: string
  /** What is to be known about the numbers. */
  readonly note?: string
  /** How many rows there are; those behind the last one here were left off. */
  readonly total?: number
}

/** Write a value as its unit is read. */
export function formatCell(value: Cell, unit: Unit): string {
  if (value === null) {
    return unit === 'cost' ? formatCost(null) : MISSING
  }
  if (typeof value === 'string') {
    return unit === 'time' ? formatMoment(value) : value
  }
  switch (unit) {
    case 'tokens':
      return formatTokens(value)
    case 'cost':
      return formatCost(value, { inTable: true })
    case 'milliseconds':
      return formatDuration(value / 1_000)
    case 'bytes':
      return formatSize(value)
    case 'rate':
      return `${formatTokens(Math.round(value))}/min`
    case 'count':
    case 'text':
    case 'time':
      return formatCount(value)
  }
}

/** Write a table as CSV: the numbers as they are, in the units of the JSON. */
export function writeCsv(chart: Pick<Chart, 'columns' | 'rows'>): string {
  const lines = [
    chart.columns.map((column) => quoteField(column.label)),
    ...chart.rows.map((row) => row.cells.map((cell) => quoteField(cell === null ? '' : String(cell)))),
  ]
  return lines.map((line) => `${line.join(',')}\r\n`).join('')
}

/** Quote what has a comma, a quote or a line end in it; what a spreadsheet would compute is made text. */
function quoteField(text: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Name the file a table is saved as. */
export function csvName(title: string): string {
  return `bough-${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}.csv`
}
