import { describe, expect, it } from 'vitest'
import type { PieceHtml } from '../wire'
import { PAGE, Shelf } from './shelf'

const keys = Array.from({ length: 1000 }, (_, number) => `k${number}`)

function piece(number: number, length = 10): PieceHtml {
  return { number, key: `k${number}`, kind: 'answer', uuid: null, timestamp: null, html: 'x'.repeat(length) }
}

function shelfOf(room = 1_000_000) {
  const asked: number[] = []
  const answers: (() => void)[] = []
  const refusals: (() => void)[] = []
  const fetch = (from: number, count: number) =>
    new Promise<PieceHtml[]>((resolve, reject) => {
      asked.push(from)
      answers.push(() => resolve(Array.from({ length: count }, (_, place) => piece(from + place))))
      refusals.push(() => reject(new Error('no')))
    })
  let arrived = 0
  const shelf = new Shelf(fetch, () => (arrived += 1), { room })
  return { shelf, asked, answers, refusals, arrived: () => arrived }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('the shelf', () => {
  it('asks for the pages of a stretch, the nearest to the reader first, once', async () => {
    const { shelf, asked, answers, arrived } = shelfOf()
    shelf.want(keys, 30, 130, 60)
    shelf.want(keys, 30, 130, 60)
    expect(asked).toEqual([PAGE, 0])
    answers[0]?.()
    await settled()
    expect(shelf.html('k41')).toBeDefined()
    expect(arrived()).toBe(1)
    expect(asked).toEqual([PAGE, 0, 2 * PAGE])
  })

  it('forgets wishes that were overtaken', async () => {
    const { shelf, asked, answers } = shelfOf()
    shelf.want(keys, 0, 400)
    shelf.want(keys, 900, 901)
    answers[0]?.()
    answers[1]?.()
    await settled()
    expect(asked).toEqual([0, PAGE, 22 * PAGE])
  })

  it('drops what was longest not looked at when there is no room', () => {
    const { shelf } = shelfOf(100)
    shelf.put([piece(1, 40), piece(2, 40)])
    shelf.html('k1')
    shelf.put([piece(3, 40)])
    expect([shelf.has('k1'), shelf.has('k2'), shelf.has('k3')]).toEqual([true, false, true])
    expect(shelf.size).toBe(80)
  })

  it('says what could not be had, and asks again only when told', async () => {
    const { shelf, asked, refusals } = shelfOf()
    shelf.want(keys, 0, 1)
    refusals[0]?.()
    await settled()
    expect(shelf.isFailed(5)).toBe(true)
    shelf.want(keys, 0, 1)
    expect(asked).toHaveLength(1)
    shelf.again(5, keys)
    expect(asked).toHaveLength(2)
    expect(shelf.isFailed(5)).toBe(false)
  })

  it('keeps an answer by key though numbers changed on its way', async () => {
    const { shelf, answers, asked } = shelfOf()
    shelf.want(keys, 0, 1)
    shelf.renumber()
    answers[0]?.()
    await settled()
    expect(shelf.has('k3')).toBe(true)
    shelf.want(keys, 3, 4)
    expect(asked).toHaveLength(1)
  })
})
