import { describe, expect, it } from 'vitest'

import { seededRandom } from '../../../tests/seeded-random'
import { Heights } from './heights'
import { Viewport } from './viewport'

function viewOf(heights: number[], screen = 600): Viewport {
  const view = new Viewport(new Heights(heights), 20, 120)
  view.height = screen
  return view
}

describe('the view', () => {
  it('never moves the anchor, whatever heights arrive in whatever order', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed)
      const count = 50 + random(400)
      const view = viewOf(Array.from({ length: count }, () => 20 + random(300)))
      view.scrollToAnchor({ index: random(count), inner: random(20) })
      const anchor = view.firstVisible()
      const line = view.screenTop(anchor.index)
      for (let times = 0; times < 300; times++) {
        const index = random(count)
        // What is above the anchor or below it; its own growth is below the first visible line.
        view.keepAnchor(anchor, () => view.heights.measure(index, 20 + random(600)))
        if (random(10) === 0 && view.top >= 0) view.settle()
        expect(view.screenTop(anchor.index)).toBe(line)
      }
    }
  })

  it('keeps the place while the reader scrolls and heights arrive between', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seededRandom(seed)
      const view = viewOf(Array.from({ length: 500 }, () => 100))
      view.scrollToAnchor({ index: 250, inner: 0 })
      for (let times = 0; times < 200; times++) {
        const before = view.firstVisible()
        const line = view.screenTop(before.index)
        const moved = random(300) - 150
        if (view.noteScroll(Math.max(0, Math.min(view.maxScroll, view.scrollTop + moved)))) view.settle()
        else expect(view.screenTop(before.index)).toBe(line - moved)
        const anchor = view.firstVisible()
        const now = view.screenTop(anchor.index)
        view.keepAnchor(anchor, () => view.heights.measure(random(500), 40 + random(300)))
        expect(view.screenTop(anchor.index)).toBe(now)
      }
    }
  })

  it('makes up for growth inside the anchor above its line', () => {
    const view = viewOf([100, 400, 100, 900])
    view.scrollToAnchor({ index: 1, inner: 300 })
    const anchor = view.firstVisible()
    view.keepAnchor(anchor, () => view.heights.measure(1, 450), 50)
    expect(view.firstVisible()).toEqual({ index: 1, inner: 350 })
  })

  it('is exact at both ends', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.scrollToEnd()
    view.keepAnchor(view.firstVisible(), () => view.heights.measure(99, 700))
    expect(view.settle()).toBe(view.maxScroll)
    view.scrollToStart()
    expect(view.settle()).toBe(0)
    view.keepAnchor(view.firstVisible(), () => view.heights.measure(0, 700))
    expect(view.screenTop(0)).toBe(20)
  })

  it('shows the last line while it is pinned to the end and pieces follow', () => {
    const view = viewOf(Array.from({ length: 10 }, () => 100))
    view.scrollToEnd()
    view.keepAnchor(view.firstVisible(), () => view.heights.replaceFrom(10, [50, 60]))
    expect(view.settle()).toBe(20 + 1110 + 120 - 600)
  })

  it('is pinned no longer once the reader scrolls up', () => {
    const view = viewOf(Array.from({ length: 10 }, () => 100))
    view.scrollToEnd()
    view.noteScroll(view.scrollTop - 1)
    expect(view.isPinned).toBe(false)
  })

  it('does not move when something near the end is folded', () => {
    const view = viewOf([500, 500, 2000])
    view.scrollToAnchor({ index: 2, inner: 900 })
    const anchor = view.firstVisible()
    const line = view.screenTop(anchor.index)
    view.keepAnchor(anchor, () => view.heights.measure(2, 1000))
    view.settle()
    expect(view.screenTop(anchor.index)).toBe(line)
    view.noteScroll(view.scrollTop - 5000)
    expect(view.maxScroll).toBe(20 + 2000 + 120 - 600)
  })

  it('asks to settle where the shift would hide an end', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.scrollToAnchor({ index: 2, inner: 0 })
    view.keepAnchor(view.firstVisible(), () => view.heights.measure(0, 300))
    expect(view.noteScroll(0)).toBe(true)
    expect(view.settle()).toBe(200)
  })

  it('sees the first piece below the head', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.headHeight = 80
    view.scrollToAnchor({ index: 50, inner: 10 })
    expect(view.firstVisible()).toEqual({ index: 50, inner: 10 })
    expect(view.screenTop(50)).toBe(70)
  })

  it('reads the piece a jump landed at, though the end of another is above it', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.scrollToAnchor({ index: 50, inner: 0 }, 12)
    expect(view.firstVisible().index).toBe(49)
    expect(view.readingAnchor()).toEqual({ index: 50, inner: -12 })
    view.scrollToAnchor(view.readingAnchor())
    expect(view.screenTop(50)).toBe(12)
  })

  it('keeps what is below a piece that comes in from above at a height nobody knew', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.scrollToAnchor({ index: 50, inner: 60 })
    const line = view.screenTop(51)
    view.keepAnchor(view.anchorToKeep(), () => view.heights.measure(50, 700))
    expect(view.screenTop(51)).toBe(line)
  })

  it('takes more room above the start without moving what is read', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.scrollToAnchor({ index: 50, inner: 0 })
    view.setPaddingTop(90)
    expect(view.screenTop(50)).toBe(0)
    view.scrollToStart()
    view.setPaddingTop(120)
    expect(view.screenTop(0)).toBe(120)
  })

  it('spans the screen and what is asked around it', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.scrollToAnchor({ index: 50, inner: 0 })
    expect(view.visibleRange(0, 0)).toEqual([50, 57])
    expect(view.visibleRange(200, 300)).toEqual([48, 60])
    expect(viewOf([]).visibleRange(500, 500)).toEqual([0, 0])
  })
})
