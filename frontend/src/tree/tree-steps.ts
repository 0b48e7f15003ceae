/**
 * Walking a graph by its shape alone: rows that are not loaded yet can be gone to as well.
 *
 * `kinds` has a letter for each row, a capital where a branch leaves with it; `depths` its lane.
 */
export interface TreeShape {
  readonly kinds: string
  readonly depths: readonly number[]
}

/** Find the next row at which a branch leaves, in either direction; null where there is none. */
export function findSplit(shape: TreeShape, from: number, step: 1 | -1): number | null {
  for (let at = from + step; at >= 0 && at < shape.kinds.length; at += step) {
    if (opensBranch(shape, at)) {
      return at
    }
  }
  return null
}

/** Find the turn that the branch of a row left; null on a stem. */
export function findParent(shape: TreeShape, from: number): number | null {
  const depth = shape.depths[from] ?? 0
  if (depth === 0) {
    return null
  }
  let at = from
  while (at > 0 && !(opensBranch(shape, at) && shape.depths[at] === depth)) {
    at -= 1
  }
  for (at -= 1; at >= 0; at -= 1) {
    if ((shape.depths[at] ?? 0) < depth && isTurn(shape, at)) {
      return at
    }
  }
  return null
}

/** Find the first row of the branch that leaves at a row or soon after it; null where none does. */
export function findBranchInto(shape: TreeShape, from: number): number | null {
  const depth = shape.depths[from] ?? 0
  for (let at = from + 1; at < shape.kinds.length; at += 1) {
    const here = shape.depths[at] ?? 0
    if (opensBranch(shape, at) && here === depth + 1) {
      return at
    }
    if (here < depth || (here === depth && opensBranch(shape, at))) {
      return null
    }
  }
  return null
}

/** Find the row of the turn that a row belongs to. */
export function findTurn(shape: TreeShape, from: number): number {
  let at = from
  while (at > 0 && !isTurn(shape, at)) {
    at -= 1
  }
  return at
}

function opensBranch(shape: TreeShape, at: number): boolean {
  const letter = shape.kinds[at] ?? ''
  return letter !== '' && letter !== letter.toLowerCase()
}

function isTurn(shape: TreeShape, at: number): boolean {
  return (shape.kinds[at] ?? '').toLowerCase() === 't'
}
