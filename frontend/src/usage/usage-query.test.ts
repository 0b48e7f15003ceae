import { describe, expect, it } from 'vitest'

import {
  activityChoice,
  addDays,
  choosePeriod,
  countDays,
  listKeys,
  parseBehind,
  parseChoice,
  presetOf,
  rangeOfKey,
  usageAddress,
  usageCommand,
} from './usage-query'

const usual = parseChoice(new URLSearchParams())

describe('the address', () => {
  it('names 30 days by model where it names nothing', () => {
    expect(usual).toEqual({ since: '29d', until: '', zone: '', by: 'model', measure: 'cost', per: '' })
    expect(presetOf(usual)?.label).toBe('30 days')
  })

  it('keeps words for time as they are, and nothing that it does not know', () => {
    const found = parseChoice(new URLSearchParams('since=last-month&until=2026-11-01&by=colour&per=weekly'))
    expect(found).toMatchObject({ since: 'last-month', until: '2026-11-01', by: 'model', per: 'weekly' })
    expect(presetOf(found)).toBeNull()
  })

  it('comes back as it was written', () => {
    const choice = { ...usual, since: '6d', zone: 'Asia/Tokyo', by: 'agent', measure: 'tokens' } as const
    const url = new URL(usageAddress(choice, { behind: 'tools', key: 'Bash' }), 'http://page')
    expect(parseChoice(url.searchParams)).toEqual(choice)
    expect(parseBehind(url.searchParams)).toEqual({ behind: 'tools', key: 'Bash' })
  })
})

describe('the command', () => {
  it('prints the same numbers', () => {
    const choice = { ...usual, since: 'last week', zone: 'Asia/Tokyo' }
    expect(usageCommand('usage daily --by model', choice)).toBe(
      "bough usage daily --by model --since 'last week' --zone Asia/Tokyo",
    )
  })
})

describe('ranges', () => {
  it('of heat maps are a year, unless somebody named the days', () => {
    expect(activityChoice(usual).since).toBe('364d')
    expect(activityChoice({ ...usual, since: '2026-10' }).since).toBe('2026-10')
  })

  it('of a bar are its day, its week or its month', () => {
    const all = { first: '2026-10-19', last: '2026-11-17' }
    const of = (behind: string, key: string) => rangeOfKey({ behind, key }, usual, all)
    expect(of('daily', '2026-11-15')).toEqual({ since: '2026-11-15', until: '2026-11-15' })
    expect(of('weekly', '2026-10-26')).toEqual({ since: '2026-10-26', until: '2026-11-01' })
    expect(of('monthly', '2026-11')).toEqual({ since: '2026-11', until: '2026-11' })
    expect(of('blocks', 'a b')).toEqual({ since: 'a', until: 'b' })
  })

  it('of a bar that the days cut are what it counts', () => {
    const choice = { since: '2026-10-28', until: '2026-11-11 12:00' }
    const days = { first: '2026-10-28', last: '2026-11-11' }
    const of = (behind: string, key: string) => rangeOfKey({ behind, key }, choice, days)
    expect(of('weekly', '2026-10-26')).toEqual({ since: '2026-10-28', until: '2026-11-01' })
    expect(of('weekly', '2026-11-02')).toEqual({ since: '2026-11-02', until: '2026-11-08' })
    expect(of('weekly', '2026-11-09')).toEqual({ since: '2026-11-09', until: '2026-11-11 12:00' })
    expect(of('monthly', '2026-10')).toEqual({ since: '2026-10-28', until: '2026-10' })
    expect(of('monthly', '2026-11')).toEqual({ since: '2026-11', until: '2026-11-11 12:00' })
  })

  it('choose how long a bar lasts', () => {
    expect([30, 365, 800].map((days) => choosePeriod(usual, days))).toEqual(['daily', 'weekly', 'monthly'])
    expect(choosePeriod({ ...usual, per: 'daily' }, 800)).toBe('daily')
  })
})

describe('keys', () => {
  it('are all days, also those without use, across the end of a month', () => {
    expect(listKeys('daily', '2026-10-30', '2026-11-02', null)).toEqual([
      '2026-10-30',
      '2026-10-31',
      '2026-11-01',
      '2026-11-02',
    ])
    expect([addDays('2026-02-28', 1), countDays('2026-10-30', '2026-11-02')]).toEqual(['2026-03-01', 4])
  })

  it('are weeks as the server begins them', () => {
    expect(listKeys('weekly', '2026-11-04', '2026-11-16', '2026-11-15')).toEqual([
      '2026-11-01',
      '2026-11-08',
      '2026-11-15',
    ])
  })

  it('are months, across the end of a year', () => {
    expect(listKeys('monthly', '2026-11-30', '2027-02-01', null)).toEqual([
      '2026-11',
      '2026-12',
      '2027-01',
      '2027-02',
    ])
  })
})
