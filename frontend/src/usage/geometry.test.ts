import { describe, expect, it } from 'vitest'

import { barLength, chooseLabels, levelOf, placeDays, placeHours, stackBars, weekdayOf } from './geometry'

const DAYS = ['2026-11-13', '2026-11-14', '2026-11-15']
const VALUES = new Map([
  [
    '2026-11-13',
    new Map([
      ['a', 3],
      ['b', 1],
    ]),
  ],
  ['2026-11-15', new Map([['b', 8]])],
])

describe('stacked bars', () => {
  const bars = stackBars(DAYS, ['a', 'b'], VALUES, 300, 100)

  it('leaves a day without use empty', () => {
    expect(bars.segments.map((one) => one.key)).toEqual(['2026-11-13', '2026-11-13', '2026-11-15'])
    expect(bars.middles.map((one) => one.key)).toEqual(DAYS)
  })

  it('puts each part on the one below it, without a gap', () => {
    const [below, above] = bars.segments
    expect(below?.part).toBe('a')
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeCloseTo(below?.y ?? 0)
    expect((below?.y ?? 0) + (below?.height ?? 0)).toBeCloseTo(100)
  })

  it('draws heights in proportion to the values', () => {
    const [three, one, eight] = bars.segments
    expect(three?.height).toBeCloseTo(3 * (one?.height ?? 0))
    expect(eight?.height).toBeCloseTo(8 * (one?.height ?? 0))
  })

  it('keeps the values as they are', () => {
    expect(bars.segments.map((one) => one.value)).toEqual([3, 1, 8])
  })

  it('never goes above the last tick', () => {
    expect(Math.min(...bars.segments.map((one) => one.y))).toBeGreaterThanOrEqual(0)
    expect(bars.ticks.at(-1)?.value).toBeGreaterThanOrEqual(8)
  })

  it('has neither bars nor ticks where nothing was used', () => {
    const none = stackBars(DAYS, ['a'], new Map(), 300, 100)
    expect([none.segments, none.ticks]).toEqual([[], []])
  })

  it('shows a part that is tiny beside the rest', () => {
    const tiny = stackBars(['d'], ['a'], new Map([['d', new Map([['a', 1e-9]])]]), 10, 100)
    const beside = stackBars(
      ['d', 'e'],
      ['a'],
      new Map([
        ['d', new Map([['a', 1e-9]])],
        ['e', new Map([['a', 9]])],
      ]),
      10,
      100,
    )
    expect(tiny.segments[0]?.height).toBeGreaterThan(1)
    expect(beside.segments[0]?.height).toBe(1)
  })
})

describe('labels', () => {
  it('are as many as there is room for', () => {
    const keys = Array.from({ length: 30 }, (_, at) => String(at))
    expect(chooseLabels(keys, 2_000)).toHaveLength(30)
    expect(chooseLabels(keys, 320)).toEqual(['0', '6', '12', '18', '24'])
  })
})

describe('lengths', () => {
  it('are parts of the longest', () => {
    expect([barLength(5, 10), barLength(10, 10), barLength(0, 0)]).toEqual([50, 100, 0])
  })
})

describe('heat maps', () => {
  it('have a level for nothing and four for something', () => {
    expect([0, 1, 25, 26, 51, 76, 100].map((value) => levelOf(value, 100))).toEqual([0, 1, 2, 2, 3, 4, 4])
  })

  it('count weekdays from Monday', () => {
    expect(['2026-11-16', '2026-11-22'].map(weekdayOf)).toEqual([0, 6])
  })

  it('begin a column on every Monday', () => {
    const cells = placeDays([
      { day: '2026-11-14', value: 0 },
      { day: '2026-11-15', value: 4 },
      { day: '2026-11-16', value: 1 },
    ])
    expect(cells.map(({ column, row, level }) => [column, row, level])).toEqual([
      [0, 5, 0],
      [0, 6, 4],
      [1, 0, 2],
    ])
  })

  it('begin where weeks begin', () => {
    const cells = placeDays(
      [
        { day: '2026-11-14', value: 0 },
        { day: '2026-11-15', value: 4 },
        { day: '2026-11-16', value: 1 },
      ],
      6,
    )
    expect(cells.map(({ column, row }) => [column, row])).toEqual([
      [0, 6],
      [1, 0],
      [1, 1],
    ])
    const [first, ...rest] = placeHours([{ weekday: 7, hour: 0, value: 2 }], 6)
    expect(first).toMatchObject({ key: '7-0', row: 0, value: 2 })
    expect(rest.at(-1)).toMatchObject({ key: '6-23', row: 6 })
  })

  it('have a square for every hour of the week, also where nothing happened', () => {
    const cells = placeHours([{ weekday: 7, hour: 23, value: 2 }])
    expect(cells).toHaveLength(168)
    expect(cells.filter((one) => one.level > 0)).toEqual([
      { key: '7-23', column: 23, row: 6, value: 2, level: 4 },
    ])
  })
})
