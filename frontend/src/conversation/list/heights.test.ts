import { describe, expect, it } from 'vitest'

import { seededRandom } from '../../../tests/seeded-random'
import { Heights } from './heights'

describe('heights', () => {
  it('begin each piece where the one before ends', () => {
    const heights = new Heights([10, 20, 30])
    expect([0, 1, 2, 3].map((index) => heights.offset(index))).toEqual([0, 10, 30, 60])
    expect(heights.total).toBe(60)
  })

  it('find the piece at a place, and the outermost beyond the ends', () => {
    const heights = new Heights([10, 20, 30])
    expect([-5, 0, 9, 10, 29, 30, 59, 60, 900].map((y) => heights.indexAt(y))).toEqual([
      0, 0, 0, 1, 1, 2, 2, 2, 2,
    ])
  })

  it('know no piece in an empty conversation', () => {
    const heights = new Heights([])
    expect(heights.total).toBe(0)
    expect(heights.indexAt(5)).toBe(0)
  })

  it('agree with plain sums whatever is measured in whatever order', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seededRandom(seed)
      const plain = Array.from({ length: 1 + random(300) }, () => random(500))
      const heights = new Heights(plain)
      for (let times = 0; times < 200; times++) {
        const index = random(plain.length)
        plain[index] = random(900)
        heights.measure(index, plain[index])
      }
      let y = 0
      plain.forEach((height, index) => {
        expect(heights.offset(index)).toBe(y)
        if (height > 0) expect(heights.indexAt(y + random(height))).toBe(index)
        y += height
      })
      expect(heights.total).toBe(y)
    }
  })

  it('keep what is measured before the place from which others follow', () => {
    const heights = new Heights([10, 20, 30])
    heights.measure(0, 15)
    heights.measure(2, 35)
    heights.replaceFrom(2, [1, 2, 3])
    expect(heights.count).toBe(5)
    expect(heights.total).toBe(15 + 20 + 6)
    expect([heights.isMeasured(0), heights.isMeasured(2)]).toEqual([true, false])
  })

  it('take estimates only for what is not measured', () => {
    const heights = new Heights([10, 20])
    heights.measure(0, 12)
    expect(heights.estimate(0, 99)).toBe(0)
    expect(heights.estimate(1, 25)).toBe(5)
    expect(heights.total).toBe(37)
  })
})
