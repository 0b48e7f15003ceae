/** Repeatable random numbers for tests of laws: the same seed gives the same numbers below `limit`. */
export function seededRandom(seed: number): (limit: number) => number {
  let state = seed * 2654435769
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, limit)
  }
}
