/**
 * The lines of one row of a graph: which lanes pass beside it, where its own comes from and goes to.
 *
 * The lanes themselves are computed by the server (bough.model.graph); here they become paths.
 */
export const LANE = 16
const EDGE = 12

export interface LaneShape {
  /** One character for each lane at the left: 0 nothing, 1 a branch that was left, 2 the active one. */
  readonly bars: string
  readonly depth: number
  readonly opens: boolean
  readonly begins: boolean
  readonly ends: boolean
}

export interface LanePaths {
  /** Lines of branches that were left, and of the active one. */
  readonly left: string
  readonly active: string
  /** Where the sign stands. */
  readonly x: number
}

/** Give the column of a row: lanes deeper than are drawn share the last. */
export function laneColumn(depth: number, lanes: number): number {
  return Math.min(depth, lanes)
}

/** Give the middle of a column. */
export function laneX(column: number): number {
  return EDGE + column * LANE
}

/** Give how wide the lanes of a graph are, up to its deepest row. */
export function laneWidth(deepest: number, lanes: number): number {
  return laneX(laneColumn(deepest, lanes)) + EDGE
}

export function lanePaths(row: LaneShape, isActive: boolean, lanes: number, height: number): LanePaths {
  const column = laneColumn(row.depth, lanes)
  const x = laneX(column)
  const middle = height / 2
  const drawn = { left: '', active: '' }
  for (const [at, bar] of Array.from(row.bars).entries()) {
    if (bar !== '0') {
      drawn[bar === '2' ? 'active' : 'left'] += `M${laneX(at)} 0V${height}`
    }
  }
  const own = isActive ? 'active' : 'left'
  if (row.opens) {
    const from = laneX(column - 1)
    drawn[own] += `M${from} 0C${from} ${middle} ${x} 0 ${x} ${middle}`
  } else if (!row.begins) {
    drawn[own] += `M${x} 0V${middle}`
  }
  if (!row.ends) {
    drawn[own] += `M${x} ${middle}V${height}`
  }
  return { ...drawn, x }
}
