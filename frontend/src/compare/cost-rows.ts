/** What each side took, as rows of one table. */
import { formatCount, formatDuration } from '../formats'
import type { ComparedSide } from '../wire'

export interface CostRow {
  readonly label: string
  readonly a: string
  readonly b: string
}

const COUNTS: readonly (readonly [string, (side: ComparedSide) => number])[] = [
  ['Turns', (side) => side.turns],
  ['Files written', (side) => side.files],
  ['API calls', (side) => side.calls],
  ['Input tokens', (side) => side.input_tokens],
  ['Cache written', (side) => side.cache_write_tokens],
  ['Cache read', (side) => side.cache_read_tokens],
  ['Output tokens', (side) => side.output_tokens],
]

export function listCostRows(a: ComparedSide, b: ComparedSide): CostRow[] {
  return [
    ...COUNTS.map(([label, of]) => ({ label, a: formatCount(of(a)), b: formatCount(of(b)) })),
    { label: 'Time', a: formatDuration(a.duration_seconds), b: formatDuration(b.duration_seconds) },
  ]
}
