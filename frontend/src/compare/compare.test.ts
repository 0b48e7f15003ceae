import { describe, expect, it } from 'vitest'

import { compareAddress, parseRoute } from '../routes.svelte'
import type { ComparedSide } from '../wire'
import { refFrom, swapSides } from './compared-ref'
import { listCostRows } from './cost-rows'

const side: ComparedSide = {
  session: 's',
  title: 'T',
  tip: 'x',
  name: 'N',
  active: true,
  turns: 3,
  files: 2,
  calls: 14,
  input_tokens: 1200,
  output_tokens: 80,
  cache_read_tokens: 5,
  cache_write_tokens: 6,
  cost_usd: 0.92,
  unpriced_models: [],
  duration_seconds: 1321,
}

describe('what is compared', () => {
  it('is read from the address that names it', () => {
    const route = parseRoute(compareAddress('one', { a: 'x', b: 'active', other: 'two' }))

    expect([route.screen, route.id]).toEqual(['compare', 'one'])
    expect(refFrom('one', route.params)).toEqual({ session: 'one', a: 'x', b: 'active', other: 'two' })
  })

  it('is the active branch where nothing is said', () => {
    expect(refFrom('one', new URLSearchParams())).toEqual({
      session: 'one',
      a: 'active',
      b: 'active',
      other: null,
    })
  })

  it('goes back to itself when it is swapped twice', () => {
    for (const other of [null, 'two']) {
      const ref = { session: 'one', a: 'x', b: 'y', other }

      expect(swapSides(ref)).not.toEqual(ref)
      expect(swapSides(swapSides(ref))).toEqual(ref)
    }
  })
})

describe('the table of costs', () => {
  it('has tokens and time of both sides', () => {
    const rows = listCostRows(side, {
      ...side,
      duration_seconds: null,
    })
    const byLabel = Object.fromEntries(rows.map((row) => [row.label, [row.a, row.b]]))

    expect(byLabel['Input tokens']).toEqual(['1.2k', '1.2k'])
    expect(byLabel['Time']?.[0]).toBe('22 min 1 s')
  })
})
