import { describe, expect, it } from 'vitest'

import type { FindHit } from '../../wire'
import { findMatchFrom, listMatches } from './matches'

function hit(number: number, count: number, tip: string | null = null): FindHit {
  return { number, key: `k${number}`, opens: [], uuid: null, tip, count }
}

describe('places of a find', () => {
  it('are counted one by one', () => {
    const matches = listMatches([hit(2, 2), hit(5, 1)])
    expect(matches.map((spot) => [spot.hit.number, spot.nth])).toEqual([
      [2, 0],
      [2, 1],
      [5, 0],
    ])
  })

  it('begin at where the reader is, and around at the first', () => {
    const matches = listMatches([hit(2, 2), hit(5, 1), hit(0, 1, 'other')])
    expect(findMatchFrom(matches, 3)).toBe(2)
    expect(findMatchFrom(matches, 6)).toBe(0)
  })
})
