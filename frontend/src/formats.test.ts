import { beforeAll, describe, expect, test } from 'vitest'

import * as formats from './formats'
import cases from './words.cases.json'

const now = new Date(cases.now)

describe('words are those of bough.model.numbers', () => {
  beforeAll(() => formats.setLanguage('en-GB'))

  test.each(cases.count)('a count of %d is %s', (number, text) =>
    expect(formats.formatCount(Number(number))).toBe(text),
  )
  test.each(cases.tokens)('%d tokens are %s', (number, text) =>
    expect(formats.formatTokens(Number(number))).toBe(text),
  )
  test.each(cases.share)('a share of %d is %s', (part, text) =>
    expect(formats.formatShare(Number(part))).toBe(text),
  )
  test.each(cases.size)('%d bytes are %s', (bytes, text) =>
    expect(formats.formatSize(Number(bytes))).toBe(text),
  )
  test.each(cases.ago)('%d seconds ago is %s', (seconds, text) =>
    expect(formats.formatAge(Number(seconds))).toBe(text),
  )
  test.each(cases.elapsed)('%d seconds on the clock are %s', (seconds, text) =>
    expect(formats.formatElapsed(Number(seconds))).toBe(text),
  )
  test.each(cases.duration as [number | null, string][])('%s seconds lasted %s', (seconds, text) =>
    expect(formats.formatDuration(seconds)).toBe(text),
  )
  test.each(cases.moment as [string | null, string][])('the moment %s is %s', (at, text) =>
    expect(formats.formatMoment(at, now)).toBe(text),
  )
  test.each(cases.when as [string | null, string][])('in a list %s is %s', (at, text) =>
    expect(formats.formatRecentMoment(at, now)).toBe(text),
  )
  test.each(cases.cost as [[number | null, boolean, boolean], string][])(
    'a cost of %j is %s',
    ([usd, partlyUnknown, inTable], text) =>
      expect(formats.formatCost(usd, { partlyUnknown, inTable })).toBe(text),
  )
  test.each(cases.changes as [[number, number], string][])('changes of %j are %s', ([added, removed], text) =>
    expect(formats.formatChanges(added, removed)).toBe(text),
  )
  test.each(cases.plural as [[number, string], string][])('%j is %s', ([number, word], text) =>
    expect(formats.pluralize(number, word)).toBe(text),
  )
})

describe('the language of the browser', () => {
  test('sets the grouping of digits', () => {
    formats.setLanguage('en-US')
    expect(formats.formatCount(1_204)).toBe('1,204')
    formats.setLanguage('de-DE')
    expect(formats.formatCount(1_204)).toBe('1.204')
    formats.setLanguage('en-GB')
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
  ])('%s is called %s', (name, text) => expect(formats.formatModel(name)).toBe(text))
})
