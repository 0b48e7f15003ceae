import { expect, test } from 'vitest'

import { cutPrompts, describeTravel } from './words'

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at))

test('few prompts are all listed', () => {
  expect(cutPrompts(numbered(9))).toEqual({ first: [], hidden: 0, last: numbered(9) })
})

test('of many prompts the first and the last are listed, and the rest is counted', () => {
  const { first, hidden, last } = cutPrompts(numbered(20))

  expect(first).toEqual(['0', '1', '2'])
  expect(hidden).toBe(12)
  expect(last).toEqual(['15', '16', '17', '18', '19'])
})

test('a copy has a title of its own, a repair in place has none', () => {
  expect(describeTravel({ operation: 'repair' }).field).not.toBeNull()
  expect(describeTravel({ operation: 'repair', in_place: true }).field).toBeNull()
})
