/** Places where words were found, one by one: a hit of the server may stand for several. */
import type { FindHit } from '../../wire'

/** One place: the hit it belongs to, and the how manieth of that hit it is. */
export interface Match {
  readonly hit: FindHit
  readonly nth: number
}

/** List the places of all hits one by one. */
export function listMatches(hits: readonly FindHit[]): Match[] {
  return hits.flatMap((hit) => Array.from({ length: Math.max(1, hit.count) }, (_, nth) => ({ hit, nth })))
}

/** The first place at or after a piece; the first of all where there is none. */
export function findMatchFrom(matches: readonly Match[], number: number): number {
  const found = matches.findIndex((match) => match.hit.tip === null && match.hit.number >= number)
  return found >= 0 ? found : 0
}
