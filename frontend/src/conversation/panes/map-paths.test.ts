import { describe, expect, it } from 'vitest'

import { drawMap } from './map-paths'

function ground(count: number, marks: string[] = [], hits: number[] = []) {
  return { part: (index: number) => index / count, count, marks, hits, width: 20, height: 600 }
}

describe('the map', () => {
  it('draws a prompt, a compaction, an error and a hit each in its layer', () => {
    const paths = drawMap(ground(10, ['p', 's', 'e', 'ae'], [9]))
    expect(paths.prompt.match(/M/g)).toHaveLength(1)
    expect(paths.compaction.match(/M/g)).toHaveLength(1)
    expect(paths.error.match(/M/g)).toHaveLength(2)
    expect(paths.agent.match(/M/g)).toHaveLength(1)
    expect(paths.hit.match(/M/g)).toHaveLength(1)
    expect(paths.plain.match(/M/g)).toHaveLength(10)
  })

  it('has no more ticks than there is room, however long the conversation', () => {
    const count = 20_000
    const paths = drawMap(
      ground(
        count,
        Array.from({ length: count }, () => 'pe'),
      ),
    )
    expect(paths.plain.match(/M/g)?.length).toBeLessThanOrEqual(121)
    expect(paths.prompt.match(/M/g)?.length).toBeLessThanOrEqual(151)
  })

  it('is empty for an empty conversation', () => {
    expect(Object.values(drawMap(ground(0))).join('')).toBe('')
  })
})
