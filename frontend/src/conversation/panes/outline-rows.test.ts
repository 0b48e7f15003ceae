import { describe, expect, it } from 'vitest'

import { rowsAround } from './outline-rows'

describe('how much of a long list is drawn', () => {
  it('begins with a stretch around the reader', () => {
    expect(rowsAround(1_000, 500, 500, 0)).toEqual({ from: 440, to: 561 })
  })

  it('is a short list as a whole', () => {
    expect(rowsAround(9, 4, 4, 0)).toEqual({ from: 0, to: 9 })
  })

  it('grows to the whole list', () => {
    expect(rowsAround(1_000, 900, 900, 20)).toEqual({ from: 0, to: 1_000 })
  })

  it('always has the row that is read', () => {
    const { from, to } = rowsAround(1_000, 900, 10, 0)
    expect(from).toBeLessThanOrEqual(10)
    expect(to).toBeGreaterThan(900)
  })
})
