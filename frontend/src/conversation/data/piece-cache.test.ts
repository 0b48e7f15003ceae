import { describe, expect, it } from 'vitest'

import type { PieceHtml } from '../../wire'
import { PAGE, PieceCache } from './piece-cache'

const keys = Array.from({ length: 1000 }, (_, number) => `k${number}`)

function piece(number: number, length = 10): PieceHtml {
  return { number, key: `k${number}`, kind: 'answer', uuid: null, timestamp: null, html: 'x'.repeat(length) }
}

function cacheOf(characters = 1_000_000) {
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
  const cache = new PieceCache(fetch, () => (arrived += 1), { characters })
  return { cache, asked, answers, refusals, arrived: () => arrived }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('the cache', () => {
  it('asks for the pages of a stretch, the nearest to the reader first, once', async () => {
    const { cache, asked, answers, arrived } = cacheOf()
    cache.request(keys, 30, 130, 60)
    cache.request(keys, 30, 130, 60)
    expect(asked).toEqual([PAGE, 0])
    answers[0]?.()
    await settled()
    expect(cache.html('k41')).toBeDefined()
    expect(arrived()).toBe(1)
    expect(asked).toEqual([PAGE, 0, 2 * PAGE])
  })

  it('forgets wishes that were overtaken', async () => {
    const { cache, asked, answers } = cacheOf()
    cache.request(keys, 0, 400)
    cache.request(keys, 900, 901)
    answers[0]?.()
    answers[1]?.()
    await settled()
    expect(asked).toEqual([0, PAGE, 22 * PAGE])
  })

  it('drops what was longest not looked at when there is no characters', () => {
    const { cache } = cacheOf(100)
    cache.put([piece(1, 40), piece(2, 40)])
    cache.html('k1')
    cache.put([piece(3, 40)])
    expect([cache.has('k1'), cache.has('k2'), cache.has('k3')]).toEqual([true, false, true])
    expect(cache.size).toBe(80)
  })

  it('says what could not be had, and asks again only when told', async () => {
    const { cache, asked, refusals } = cacheOf()
    cache.request(keys, 0, 1)
    refusals[0]?.()
    await settled()
    expect(cache.isFailed(5)).toBe(true)
    cache.request(keys, 0, 1)
    expect(asked).toHaveLength(1)
    cache.retry(5, keys)
    expect(asked).toHaveLength(2)
    expect(cache.isFailed(5)).toBe(false)
  })

  it('keeps an answer by key though numbers changed on its way', async () => {
    const { cache, answers, asked } = cacheOf()
    cache.request(keys, 0, 1)
    cache.renumber()
    answers[0]?.()
    await settled()
    expect(cache.has('k3')).toBe(true)
    cache.request(keys, 3, 4)
    expect(asked).toHaveLength(1)
  })
})
