import { describe, expect, it } from 'vitest'
import { chance } from './chance'
import { Heights } from './heights'
import { View } from './view'

function viewOf(heights: number[], screen = 600): View {
  const view = new View(new Heights(heights), 20, 120)
  view.height = screen
  return view
}

describe('the view', () => {
  it('never moves the anchor, whatever heights arrive in whatever order', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = chance(seed)
      const count = 50 + random(400)
      const view = viewOf(Array.from({ length: count }, () => 20 + random(300)))
      view.lookAt({ index: random(count), inner: random(20) })
      const anchor = view.anchor()
      const line = view.onScreen(anchor.index)
      for (let times = 0; times < 300; times++) {
        const index = random(count)
        // What is above the anchor or below it; its own growth is below the first visible line.
        view.keep(anchor, () => view.heights.measure(index, 20 + random(600)))
        if (random(10) === 0 && view.top >= 0) view.settle()
        expect(view.onScreen(anchor.index)).toBe(line)
      }
    }
  })

  it('keeps the place while the reader scrolls and heights arrive between', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = chance(seed)
      const view = viewOf(Array.from({ length: 500 }, () => 100))
      view.lookAt({ index: 250, inner: 0 })
      for (let times = 0; times < 200; times++) {
        const before = view.anchor()
        const line = view.onScreen(before.index)
        const moved = random(300) - 150
        if (view.scrolled(Math.max(0, Math.min(view.furthest, view.scroll + moved)))) view.settle()
        else expect(view.onScreen(before.index)).toBe(line - moved)
        const anchor = view.anchor()
        const now = view.onScreen(anchor.index)
        view.keep(anchor, () => view.heights.measure(random(500), 40 + random(300)))
        expect(view.onScreen(anchor.index)).toBe(now)
      }
    }
  })

  it('makes up for growth inside the anchor above its line', () => {
    const view = viewOf([100, 400, 100, 900])
    view.lookAt({ index: 1, inner: 300 })
    const anchor = view.anchor()
    view.keep(anchor, () => view.heights.measure(1, 450), 50)
    expect(view.anchor()).toEqual({ index: 1, inner: 350 })
  })

  it('is exact at both ends', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.toEnd()
    view.keep(view.anchor(), () => view.heights.measure(99, 700))
    expect(view.settle()).toBe(view.furthest)
    view.toStart()
    expect(view.settle()).toBe(0)
    view.keep(view.anchor(), () => view.heights.measure(0, 700))
    expect(view.onScreen(0)).toBe(20)
  })

  it('shows the last line while it is pinned to the end and pieces follow', () => {
    const view = viewOf(Array.from({ length: 10 }, () => 100))
    view.toEnd()
    view.keep(view.anchor(), () => view.heights.follow(10, [50, 60]))
    expect(view.settle()).toBe(20 + 1110 + 120 - 600)
  })

  it('is pinned no longer once the reader scrolls up', () => {
    const view = viewOf(Array.from({ length: 10 }, () => 100))
    view.toEnd()
    view.scrolled(view.scroll - 1)
    expect(view.pinned).toBe(false)
  })

  it('does not move when something near the end is folded', () => {
    const view = viewOf([500, 500, 2000])
    view.lookAt({ index: 2, inner: 900 })
    const anchor = view.anchor()
    const line = view.onScreen(anchor.index)
    view.keep(anchor, () => view.heights.measure(2, 1000))
    view.settle()
    expect(view.onScreen(anchor.index)).toBe(line)
    view.scrolled(view.scroll - 5000)
    expect(view.furthest).toBe(20 + 2000 + 120 - 600)
  })

  it('asks to settle where the shift would hide an end', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.lookAt({ index: 2, inner: 0 })
    view.keep(view.anchor(), () => view.heights.measure(0, 300))
    expect(view.scrolled(0)).toBe(true)
    expect(view.settle()).toBe(200)
  })

  it('sees the first piece below the head', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.cover = 80
    view.lookAt({ index: 50, inner: 10 })
    expect(view.anchor()).toEqual({ index: 50, inner: 10 })
    expect(view.onScreen(50)).toBe(70)
  })

  it('reads the piece a jump landed at, though the end of another is above it', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.lookAt({ index: 50, inner: 0 }, 12)
    expect(view.anchor().index).toBe(49)
    expect(view.reading()).toEqual({ index: 50, inner: -12 })
    view.lookAt(view.reading())
    expect(view.onScreen(50)).toBe(12)
  })

  it('keeps what is below a piece that comes in from above at a height nobody knew', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.lookAt({ index: 50, inner: 60 })
    const line = view.onScreen(51)
    view.keep(view.keeper(), () => view.heights.measure(50, 700))
    expect(view.onScreen(51)).toBe(line)
  })

  it('takes more room above the start without moving what is read', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.lookAt({ index: 50, inner: 0 })
    view.leadBy(90)
    expect(view.onScreen(50)).toBe(0)
    view.toStart()
    view.leadBy(120)
    expect(view.onScreen(0)).toBe(120)
  })

  it('spans the screen and what is asked around it', () => {
    const view = viewOf(Array.from({ length: 100 }, () => 100))
    view.lookAt({ index: 50, inner: 0 })
    expect(view.span(0, 0)).toEqual([50, 57])
    expect(view.span(200, 300)).toEqual([48, 60])
    expect(viewOf([]).span(500, 500)).toEqual([0, 0])
  })
})
