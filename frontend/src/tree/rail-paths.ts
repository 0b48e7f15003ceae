/**
 * The whole shape of a graph on a narrow rail, as one path per kind of row: a thousand branch points
 * cost three elements. Rows that would lie on one another are drawn once.
 */
export interface RailSource {
  /** What each row is, a letter each; see `TreeAnswer.kinds`. */
  readonly kinds: string
  readonly depths: readonly number[]
  /** How many lanes are drawn; those that are deeper share the last. */
  readonly lanes: number
  readonly width: number
  readonly height: number
}

export type RailLayer = 'active' | 'left' | 'compaction'
export const RAIL_LAYERS: readonly RailLayer[] = ['left', 'active', 'compaction']

const HIGH = 2

/** Draw the rail: the path of each layer. */
export function drawRail({
  kinds,
  depths,
  lanes,
  width,
  height,
}: RailSource): Readonly<Record<RailLayer, string>> {
  const paths: Record<RailLayer, string> = { active: '', left: '', compaction: '' }
  const deepest = Math.max(
    1,
    depths.reduce((most, one) => Math.max(most, Math.min(one, lanes - 1)), 0),
  )
  const lane = Math.max(2, Math.floor((width - 4) / (deepest + 1)))
  /** The last row of pixels that a lane has a mark in. */
  const drawn = new Map<number, number>()
  for (const [number, depth] of depths.entries()) {
    const y = Math.round((number / depths.length) * (height - HIGH))
    if (kinds[number]?.toLowerCase() === 'c') {
      if (y > (drawn.get(-1) ?? -99)) {
        drawn.set(-1, y + HIGH)
        paths.compaction += `M1 ${y}h${width - 2}v${HIGH}h-${width - 2}z`
      }
      continue
    }
    const column = Math.min(depth, deepest)
    if (y <= (drawn.get(column) ?? -99)) {
      continue
    }
    drawn.set(column, y)
    paths[column ? 'left' : 'active'] += `M${2 + column * lane} ${y}h${lane - 1}v${HIGH}h-${lane - 1}z`
  }
  return paths
}
