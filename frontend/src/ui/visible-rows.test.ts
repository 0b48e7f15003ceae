import { describe, expect, test } from 'vitest'

import { visibleRows, VIRTUAL_FROM } from './visible-rows'

describe('the rows of a long list', () => {
  test('stand there whole while they are few', () =>
    expect(visibleRows(VIRTUAL_FROM, 52, 5_000, 800)).toEqual({
      from: 0,
      to: VIRTUAL_FROM,
      before: 0,
      after: 0,
    }))

  test('always have the height of all', () => {
    for (const top of [0, 40, 5_200, 51_000, 999_999]) {
      const { from, to, before, after } = visibleRows(1_000, 52, top, 800)
      expect(before + (to - from) * 52 + after).toBe(52_000)
    }
  })

  test('cover what is in sight', () => {
    const { from, to } = visibleRows(1_000, 52, 5_200, 800)
    expect(from).toBeLessThanOrEqual(100)
    expect(to).toBeGreaterThanOrEqual(116)
    expect(to - from).toBeLessThan(60)
  })
})
