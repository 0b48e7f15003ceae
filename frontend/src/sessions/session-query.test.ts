import { describe, expect, test } from 'vitest'

import { queryAddress, listNarrowings, parseQuery } from './session-query'

describe('what narrows the list of sessions', () => {
  test.each(['/sessions', '/sessions?project=-home-dev&state=live&since=7d&sort=cost&filter=csv+import'])(
    '%s is read and written alike',
    (address) => expect(queryAddress(parseQuery(new URL(address, 'http://page').searchParams))).toBe(address),
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
})
