import { describe, expect, it } from 'vitest'
import { childrenOf, summaryOf } from './rawvalue'

describe('a value of a record', () => {
  it('has parts only if it is a list or an object', () => {
    expect(childrenOf([7])).toEqual([['0', 7]])
    expect(childrenOf({ a: null })).toEqual([['a', null]])
    expect(childrenOf('text')).toEqual([])
    expect(childrenOf(null)).toEqual([])
  })

  it('is summed up by its size or its names', () => {
    expect(summaryOf([1, 2])).toBe('[2]')
    expect(summaryOf({ a: 1, b: 2 })).toBe('{a, b}')
    expect(summaryOf({ a: 1, b: 2, c: 3, d: 4, e: 5 })).toBe('{a, b, c, d, and 1 more}')
  })
})
