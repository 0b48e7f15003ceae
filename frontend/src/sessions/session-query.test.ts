import { describe, expect, test } from 'vitest'

import { queryAddress, listNarrowings, listOptions, parseQuery } from './session-query'

describe('what narrows the list of sessions', () => {
  test.each([
    '/sessions',
    '/sessions?project=-home-dev&state=live&since=7d&sort=cost&filter=csv+import',
    '/sessions?since=2026-11-01&until=yesterday&model=opus&branch=feat%2F*',
  ])('%s is read and written alike', (address) =>
    expect(queryAddress(parseQuery(new URL(address, 'http://page').searchParams))).toBe(address),
  )

  test('is believed only where it is known', () =>
    expect(parseQuery(new URLSearchParams('state=sleeping&sort=size'))).toMatchObject({
      state: '',
      sort: 'newest',
    }))

  test('is named on chips, the order is not', () => {
    const query = parseQuery(new URLSearchParams('project=p&state=waiting&filter=csv&sort=cost'))
    expect(listNarrowings(query, 'orchard-shop').map((one) => one.label)).toEqual([
      'Project: orchard-shop',
      'State: waits for you',
      '“csv”',
    ])
  })

  test('offers the values there are, and the one that is set whatever it is', () => {
    expect(listOptions(['main'], 'feat/*').map((one) => one.value)).toEqual(['', 'feat/*', 'main'])
    expect(listOptions(['main'], 'main').map((one) => one.value)).toEqual(['', 'main'])
  })
})
