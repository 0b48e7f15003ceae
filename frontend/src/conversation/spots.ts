/** Places where words were found, one by one: a hit of the server may stand for several. */
import type { FindHit } from '../wire'

/** One place: the hit it belongs to, and the how manieth of that hit it is. */
export interface Spot {
  readonly hit: FindHit
  readonly nth: number
}

/** List the places of all hits one by one. */
export function spotsOf(hits: readonly FindHit[]): Spot[] {
  return hits.flatMap((hit) => Array.from({ length: Math.max(1, hit.count) }, (_, nth) => ({ hit, nth })))
}

/** The first place at or after a piece; the first of all where there is none. */
export function spotFrom(spots: readonly Spot[], number: number): number {
  const found = spots.findIndex((spot) => spot.hit.tip === null && spot.hit.number >= number)
  return found >= 0 ? found : 0
}
