import { describe, expect, it } from 'vitest'

import { Heights } from '../list/heights'
import { Viewport } from '../list/viewport'
import { findSameLanding, findLanding, findSharedLanding } from './landing'

const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

function viewOf(list: readonly string[], index: number, below = 0): Viewport {
  const view = new Viewport(new Heights(list.map(() => 200)), 20, 120)
  view.height = 500
  view.headHeight = 60
  view.scrollToAnchor({ index, inner: 0 }, below)
  return view
}

describe('opening', () => {
  it('goes to where it was left, to the pixel', () => {
    const landing = findLanding(60, { keys }, null, { key: 'c', inner: 37 })
    expect(landing).toEqual({ anchor: { index: 2, inner: 37 }, below: -60, isExact: true })
  })

  it('goes to the message that is asked for, unless it was left in that very message', () => {
    expect(findLanding(60, { keys }, 'e', { key: 'c', inner: 37 })?.anchor).toEqual({ index: 4, inner: 0 })
    expect(findLanding(60, { keys }, 'c', { key: 'c', inner: 37 })?.anchor).toEqual({ index: 2, inner: 37 })
  })

  it('leaves it to the end where nothing is known', () => {
    expect(findLanding(60, { keys }, null, null)).toBeNull()
    expect(findLanding(60, { keys }, null, { key: 'gone', inner: 0 })).toBeNull()
  })
})

describe('another branch', () => {
  it('keeps what both have where it is', () => {
    const view = viewOf(keys, 3, 40)
    const landing = findSharedLanding(view, keys, ['a', 'b', 'c', 'd', 'x', 'y'])
    expect(landing?.anchor.index).toBe(3)
    expect(landing?.below).toBe(40)
  })

  it('goes to the parting when that is far above', () => {
    const view = viewOf(keys, 9)
    expect(findSharedLanding(view, keys, ['a', 'x'])).toEqual({ anchor: { index: 0, inner: 0 }, below: 12 })
  })

  it('has no common place with another session', () => {
    expect(findSharedLanding(viewOf(keys, 3), keys, ['x'])).toBeNull()
  })
})

describe('the whole after a part', () => {
  it('shows the same line at the same pixel', () => {
    const view = viewOf(keys, 3, -50)
    const more = ['x', 'y', ...keys]
    const landing = findSameLanding(view, keys, more)
    const whole = viewOf(more, 0)
    if (landing) {
      whole.scrollToAnchor(landing.anchor, landing.below)
    }
    expect(whole.screenTop(5)).toBe(view.screenTop(3))
  })

  it('stays at the end where it was at the end', () => {
    const view = viewOf(keys, 0)
    view.scrollToEnd()
    expect(findSameLanding(view, keys, ['x', ...keys])).toBeNull()
  })
})
