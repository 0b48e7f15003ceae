import { describe, expect, it } from 'vitest'
import type { FindHit } from '../wire'
import { spotFrom, spotsOf } from './spots'

function hit(number: number, count: number, tip: string | null = null): FindHit {
  return { number, key: `k${number}`, opens: [], uuid: null, tip, count }
}

describe('places of a find', () => {
  it('are counted one by one', () => {
    const spots = spotsOf([hit(2, 2), hit(5, 1)])
    expect(spots.map((spot) => [spot.hit.number, spot.nth])).toEqual([
      [2, 0],
      [2, 1],
      [5, 0],
    ])
  })

  it('begin at where the reader is, and around at the first', () => {
    const spots = spotsOf([hit(2, 2), hit(5, 1), hit(0, 1, 'other')])
    expect(spotFrom(spots, 3)).toBe(2)
    expect(spotFrom(spots, 6)).toBe(0)
  })
})
