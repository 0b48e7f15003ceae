import { afterEach, beforeAll, describe, expect, test } from 'vitest'

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

describe('the chosen zone and clock', () => {
  afterEach(() => formats.setTimes(null, false))
  const at = '2026-11-15T22:05:09Z'
  const later = new Date('2026-11-16T01:00:00Z')

  test('are those of every time', () => {
    formats.setTimes('Asia/Tokyo', true)
    expect(formats.formatClock(new Date(at))).toBe('7:05 AM')
    expect(formats.formatTimeOfDay(at)).toBe('7:05:09 AM')
    expect(formats.formatMoment(at, later)).toBe('7:05 AM')
    expect(formats.dayOf(new Date(at))).toBe('2026-11-16')
    expect(formats.formatFullMoment(at)).toContain('7:05')
    formats.setTimes('America/New_York', false)
    expect(formats.formatFullMoment(at)).toContain('17:05')
    expect(formats.formatMoment(at, later)).toBe('17:05')
    expect(formats.dayOf(new Date(at))).toBe('2026-11-15')
  })
  test('a day of the calendar is that day in every zone', () => {
    for (const zone of [null, 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      formats.setTimes(zone, false)
      expect(formats.formatCalendarDay('2026-11-15', new Date('2026-06-15T12:00:00Z'))).toBe('15 Nov')
    }
    expect(formats.formatCalendarDay('2025-11-05', later)).toBe('2025-11-05')
    expect(formats.formatCalendarDay('undated', later)).toBe('undated')
  })
  test('hours are told in a zone of their own, else in the chosen one', () => {
    const [from, to] = [new Date('2026-11-15T22:00:00Z'), new Date('2026-11-16T03:00:00Z')]
    formats.setTimes('America/New_York', false)
    expect(formats.formatHours(from, to, '', later)).toBe('15 Nov 17:00–22:00')
    expect(formats.formatHours(from, to, 'Asia/Tokyo', later)).toBe('16 Nov 07:00–12:00')
    expect(formats.formatHour(14)).toBe('14:00')
    formats.setTimes('UTC', true)
    expect(formats.formatHours(from, to, '', later)).toBe('15 Nov 10:00 PM–3:00 AM')
    expect([0, 6, 12, 18].map(formats.formatHour)).toEqual(['12 AM', '6 AM', '12 PM', '6 PM'])
  })
  test('noon and midnight are twelve', () => {
    formats.setTimes('UTC', true)
    expect(formats.formatClock(new Date('2026-11-15T00:07:00Z'))).toBe('12:07 AM')
    expect(formats.formatClock(new Date('2026-11-15T12:07:00Z'))).toBe('12:07 PM')
  })
  test('a zone that the browser does not know is left out', () => {
    formats.setTimes('Mars/Olympus', false)
    expect(formats.formatMoment(at, later)).toMatch(/\d\d:\d\d/)
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

describe('the times of a list in order', () => {
  test('have the date where a day begins, and the hour below it', () => {
    const at = (day: number, hour: number): string => new Date(2025, 6, day, hour, 5).toISOString()
    const words = formats.formatTimesByDay([at(1, 20), at(1, 21), at(2, 9), null], new Date(2026, 10, 15))
    expect(words).toEqual(['2025-07-01', '21:05', '2025-07-02', '-'])
  })
})
