import { describe, expect, it } from 'vitest'

import { rowsAround, timesByDay } from './outline-rows'

describe('the times of an outline', () => {
  it('have the date where a day begins, and the hour below it', () => {
    const at = (day: number, hour: number): string => new Date(2025, 6, day, hour, 5).toISOString()
    const words = timesByDay([at(1, 20), at(1, 21), at(2, 9), null], new Date(2026, 10, 15))
    expect(words).toEqual(['2025-07-01', '21:05', '2025-07-02', '-'])
  })
})

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
