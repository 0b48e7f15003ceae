import { describe, expect, test } from 'vitest'

import { addressOf, narrowings, queryOf } from './query'

describe('what narrows the list of sessions', () => {
  test.each(['/sessions', '/sessions?project=-home-dev&state=live&since=7d&sort=cost&filter=csv+import'])(
    '%s is read and written alike',
    (address) => expect(addressOf(queryOf(new URL(address, 'http://page').searchParams))).toBe(address),
  )

  test('is believed only where it is known', () =>
    expect(queryOf(new URLSearchParams('state=sleeping&sort=size'))).toMatchObject({
      state: '',
      sort: 'newest',
    }))

  test('is named on chips, the order is not', () => {
    const query = queryOf(new URLSearchParams('project=p&state=waiting&filter=csv&sort=cost'))
    expect(narrowings(query, 'orchard-shop').map((one) => one.label)).toEqual([
      'Project: orchard-shop',
      'State: waits for you',
      '“csv”',
    ])
  })
})
