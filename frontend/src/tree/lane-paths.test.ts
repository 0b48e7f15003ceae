import { describe, expect, it } from 'vitest'

import { lanePaths, laneWidth, laneX } from './lane-paths'

const row = { bars: '', depth: 0, opens: false, begins: false, ends: false }

describe('the lines of a row', () => {
  it('pass through its own lane from top to bottom', () => {
    expect(lanePaths(row, true, 7, 40)).toEqual({ left: '', active: 'M12 0V20M12 20V40', x: 12 })
  })

  it('begin and end at the sign of a lane that has nothing before and after it', () => {
    expect(lanePaths({ ...row, begins: true, ends: true }, false, 7, 40).left).toBe('')
  })

  it('leave the lane at the left where a branch opens, and go on beside it', () => {
    const paths = lanePaths({ ...row, bars: '2', depth: 1, opens: true, ends: true }, false, 7, 40)

    expect(paths.active).toBe('M12 0V40')
    expect(paths.left).toBe('M12 0C12 20 28 0 28 20')
  })

  it('leave out lanes in which nothing goes on', () => {
    expect(lanePaths({ ...row, bars: '01', depth: 2 }, false, 7, 40).left).toBe('M28 0V40M44 0V20M44 20V40')
  })

  it('share the last lane beyond the last', () => {
    expect(lanePaths({ ...row, bars: '111111', depth: 30 }, false, 7, 40).x).toBe(laneX(7))
    expect(laneWidth(30, 7)).toBe(laneWidth(7, 7))
  })
})
