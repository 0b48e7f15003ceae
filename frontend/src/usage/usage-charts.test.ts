import { afterEach, describe, expect, it } from 'vitest'

import { setTimes } from '../formats'
import type { UsageAnswer, UsageReportRow } from '../wire'
import { blockChart, sessionChart, timeChart } from './usage-charts'
import { parseChoice } from './usage-query'

const choice = parseChoice(new URLSearchParams())
const year = new Date().getFullYear()

function answer(rows: readonly Partial<UsageReportRow>[], unpriced: readonly string[] = []): UsageAnswer {
  const amount = {
    input_tokens: 1,
    output_tokens: 2,
    cache_creation_tokens: 3,
    cache_read_tokens: 4,
    cost_usd: 1.5,
    unpriced_models: [...unpriced],
  }
  return {
    rows: rows.map((row) => ({ ...amount, by: [], ...row }) as UsageReportRow),
    totals: amount,
    unpriced_models: [...unpriced],
    total_rows: rows.length,
    names: [],
    notes: [],
    first_day: `${year}-11-14`,
    last_day: `${year}-11-15`,
    left_behind: null,
    limits: [],
  } satisfies UsageAnswer
}

describe('tables of what was used', () => {
  it('name the models without a price beside the cost, and only where there are some', () => {
    const rows = [
      { key: 'a', unpriced_models: ['claude-lab-9'] },
      { key: 'b', unpriced_models: [] },
    ]
    const chart = sessionChart(answer(rows, ['claude-lab-9']), choice)
    const at = chart.columns.findIndex((column) => column.label === 'Without a price')
    expect(chart.rows.map((row) => row.cells[at])).toEqual(['claude-lab-9', ''])
    expect(chart.rows.map((row) => row.cells.length)).toEqual([chart.columns.length, chart.columns.length])
    expect(sessionChart(answer(rows), choice).columns.map((column) => column.label)).not.toContain(
      'Without a price',
    )
  })
})

describe('days and hours', () => {
  afterEach(() => setTimes(null, false))

  it('are those of the report, in whatever zone the page is read', () => {
    setTimes('Pacific/Pago_Pago', false)
    const chart = timeChart(answer([{ key: `${year}-11-15` }]), choice, 'daily')
    expect(chart.rows.map((row) => row.label)).toEqual(['15 Nov'])
  })

  it('of a block are told in the zone that was chosen', () => {
    const rows = [{ key: 'b', start: `${year}-11-15T22:00:00Z`, end: `${year}-11-16T03:00:00Z` }]
    setTimes('America/New_York', true)
    expect(blockChart(answer(rows), choice, 5).rows[0]?.label).toBe('15 Nov 5:00 PM–10:00 PM')
    const inTokyo = blockChart(answer(rows), { ...choice, zone: 'Asia/Tokyo' }, 5)
    expect(inTokyo.rows[0]?.label).toBe('16 Nov 7:00 AM–12:00 PM')
  })
})
