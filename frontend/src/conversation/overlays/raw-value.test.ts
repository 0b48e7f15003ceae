import { describe, expect, it } from 'vitest'

import { listChildren, summarizeValue } from './raw-value'

describe('a value of a record', () => {
  it('has parts only if it is a list or an object', () => {
    expect(listChildren([7])).toEqual([['0', 7]])
    expect(listChildren({ a: null })).toEqual([['a', null]])
    expect(listChildren('text')).toEqual([])
    expect(listChildren(null)).toEqual([])
  })

  it('is summed up by its size or its names', () => {
    expect(summarizeValue([1, 2])).toBe('[2]')
    expect(summarizeValue({ a: 1, b: 2 })).toBe('{a, b}')
    expect(summarizeValue({ a: 1, b: 2, c: 3, d: 4, e: 5 })).toBe('{a, b, c, d, and 1 more}')
  })
})
