import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { ApiError } from '../api'
import type { SearchAnswer } from '../wire'
import { BETWEEN, SearchRequest } from './search-request.svelte'

const answerTo = (query: string): SearchAnswer => ({ query, total: 1 }) as SearchAnswer

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('searching while typing', () => {
  test('leaves 120 ms between two questions and asks only for the newest', async () => {
    const asked: string[] = []
    const searched = new SearchRequest((query) => {
      asked.push(query)
      return Promise.resolve(answerTo(query))
    })
    for (const query of ['c', 'ch', 'che', 'chec']) {
      searched.ask(query, 'best')
      await vi.advanceTimersByTimeAsync(30)
    }
    await vi.advanceTimersByTimeAsync(BETWEEN)
    expect(asked).toEqual(['c', 'chec'])
  })

  test('drops an answer that comes too late', async () => {
    const answers = new Map<string, (answer: SearchAnswer) => void>()
    const searched = new SearchRequest((query) => new Promise((resolve) => answers.set(query, resolve)))
    searched.ask('old', 'best')
    await vi.advanceTimersByTimeAsync(BETWEEN)
    searched.ask('new', 'best')
    await vi.advanceTimersByTimeAsync(BETWEEN)
    answers.get('new')?.(answerTo('new'))
    answers.get('old')?.(answerTo('old'))
    await vi.runAllTimersAsync()
    expect(searched.state.answer?.query).toBe('new')
  })

  test('keeps the last good answer where the query makes no sense', async () => {
    const searched = new SearchRequest((query) =>
      query === 'tool:'
        ? Promise.reject(new ApiError(400, 'bad_query', 'tool: wants a name', null, 5))
        : Promise.resolve(answerTo(query)),
    )
    searched.ask('good', 'best')
    await vi.runAllTimersAsync()
    searched.ask('tool:', 'best')
    await vi.runAllTimersAsync()
    expect(searched.state).toMatchObject({
      answer: { query: 'good' },
      wrong: { at: 5 },
      error: null,
      busy: false,
    })
  })

  test('lets a pattern of an address wait until a person asks for it', async () => {
    const asked: boolean[] = []
    const searched = new SearchRequest((query, _sort, _signal, isTyped) => {
      asked.push(isTyped)
      return isTyped
        ? Promise.resolve(answerTo(query))
        : Promise.reject(new ApiError(409, 'pattern_waits', 'Press Enter to run it.'))
    })
    searched.askFromAddress('/a/', 'best')
    await vi.runAllTimersAsync()
    expect(searched.state).toMatchObject({
      answer: null,
      wrong: null,
      error: null,
      waits: 'Press Enter to run it.',
      busy: false,
    })
    searched.ask('/a/', 'best')
    await vi.runAllTimersAsync()
    expect(searched.state).toMatchObject({ answer: { query: '/a/' }, waits: null })
    expect(asked).toEqual([false, true])
  })
})
