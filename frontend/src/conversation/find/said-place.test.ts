import { describe, expect, test } from 'vitest'

import { beginsAlike } from './said-place'

describe('a text begins as a snippet does', () => {
  test('whatever stands between its letters', () =>
    expect(beginsAlike('test for `the_reader` to go on', 'test for the reader\nto…')).toBe(true))

  test('as far as a cut snippet goes', () =>
    expect(beginsAlike('test for the reader', 'test for th…')).toBe(true))

  test('but not where it goes on otherwise', () =>
    expect(beginsAlike('test of the reader', 'test for the reader')).toBe(false))

  test('and not where there is too little to tell', () =>
    expect(beginsAlike('test', 'test for it')).toBe(false))
})
