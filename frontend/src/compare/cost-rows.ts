/** What each side took, as rows of one table. */
import { formatCount, formatDuration, formatTokens } from '../formats'
import type { ComparedSide } from '../wire'

export interface CostRow {
  readonly label: string
  readonly a: string
  readonly b: string
}

type Column = readonly [string, (side: ComparedSide) => number]

const COUNTS: readonly Column[] = [
  ['Turns', (side) => side.turns],
  ['Files written', (side) => side.files],
  ['API calls', (side) => side.calls],
]
const TOKENS: readonly Column[] = [
  ['Input tokens', (side) => side.input_tokens],
  ['Cache written', (side) => side.cache_write_tokens],
  ['Cache read', (side) => side.cache_read_tokens],
  ['Output tokens', (side) => side.output_tokens],
]

export function listCostRows(a: ComparedSide, b: ComparedSide): CostRow[] {
  return [
    ...COUNTS.map(([label, of]) => ({ label, a: formatCount(of(a)), b: formatCount(of(b)) })),
    ...TOKENS.map(([label, of]) => ({ label, a: formatTokens(of(a)), b: formatTokens(of(b)) })),
    { label: 'Time', a: formatDuration(a.duration_seconds), b: formatDuration(b.duration_seconds) },
  ]
}
