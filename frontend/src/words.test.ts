import { beforeAll, describe, expect, test } from 'vitest'

import cases from './words.cases.json'
import * as words from './words'

const now = new Date(cases.now)

describe('words are those of bough.model.numbers', () => {
  beforeAll(() => words.speak('en-GB'))

  test.each(cases.count)('a count of %d is %s', (number, text) =>
    expect(words.count(Number(number))).toBe(text),
  )
  test.each(cases.tokens)('%d tokens are %s', (number, text) =>
    expect(words.tokens(Number(number))).toBe(text),
  )
  test.each(cases.share)('a share of %d is %s', (part, text) => expect(words.share(Number(part))).toBe(text))
  test.each(cases.size)('%d bytes are %s', (bytes, text) => expect(words.size(Number(bytes))).toBe(text))
  test.each(cases.ago)('%d seconds ago is %s', (seconds, text) =>
    expect(words.ago(Number(seconds))).toBe(text),
  )
  test.each(cases.elapsed)('%d seconds on the clock are %s', (seconds, text) =>
    expect(words.elapsed(Number(seconds))).toBe(text),
  )
  test.each(cases.duration as [number | null, string][])('%s seconds lasted %s', (seconds, text) =>
    expect(words.duration(seconds)).toBe(text),
  )
  test.each(cases.moment as [string | null, string][])('the moment %s is %s', (at, text) =>
    expect(words.moment(at, now)).toBe(text),
  )
  test.each(cases.when as [string | null, string][])('in a list %s is %s', (at, text) =>
    expect(words.when(at, now)).toBe(text),
  )
  test.each(cases.cost as [[number | null, boolean, boolean], string][])(
    'a cost of %j is %s',
    ([usd, partlyUnknown, inTable], text) => expect(words.cost(usd, { partlyUnknown, inTable })).toBe(text),
  )
  test.each(cases.changes as [[number, number], string][])('changes of %j are %s', ([added, removed], text) =>
    expect(words.changes(added, removed)).toBe(text),
  )
  test.each(cases.plural as [[number, string], string][])('%j is %s', ([number, word], text) =>
    expect(words.plural(number, word)).toBe(text),
  )
})

describe('the language of the browser', () => {
  test('sets the grouping of digits', () => {
    words.speak('en-US')
    expect(words.count(1_204)).toBe('1,204')
    words.speak('de-DE')
    expect(words.count(1_204)).toBe('1.204')
    words.speak('en-GB')
  })
})

describe('a model', () => {
  test.each([
    ['claude-opus-4-6', 'Opus 4.6'],
    ['claude-opus-4-6-20260203', 'Opus 4.6'],
    ['claude-sonnet-4-20250514', 'Sonnet 4'],
    ['claude-3-5-haiku-20241022', 'Haiku 3.5'],
    ['claude-lab-9', 'Lab 9'],
    ['<synthetic>', '<synthetic>'],
  ])('%s is called %s', (name, text) => expect(words.model(name)).toBe(text))
})
