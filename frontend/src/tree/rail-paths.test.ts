import { expect, test } from 'vitest'

import { drawRail } from './rail-paths'

const count = (path: string): number => path.split('M').length - 1

test('each lane has its column, the active one at the left', () => {
  const paths = drawRail({ kinds: 'tTttc', depths: [0, 0, 1, 2, 0], lanes: 7, width: 28, height: 500 })

  expect(paths.active).toBe('M2 0h7v2h-7zM2 100h7v2h-7z')
  expect(paths.left).toBe('M10 199h7v2h-7zM18 299h7v2h-7z')
  expect(paths.compaction).toBe('M1 398h26v2h-26z')
})

test('rows that would lie on one another are drawn once, however many there are', () => {
  const rows = 20_000
  const paths = drawRail({
    kinds: 't'.repeat(rows),
    depths: Array.from({ length: rows }, (_, number) => (number % 40 ? 0 : 30)),
    lanes: 7,
    width: 28,
    height: 600,
  })

  expect(count(paths.active)).toBeLessThanOrEqual(600)
  expect(count(paths.left)).toBeLessThanOrEqual(600)
  expect(count(paths.left)).toBeGreaterThan(100)
})
