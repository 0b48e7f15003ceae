import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { showToast, toasts } from './toast.svelte'

const texts = (): string[] => toasts.list.map((one) => one.text)

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

test('what is said again stands there once, and as long as if it were new', () => {
  showToast('Id copied.')
  vi.advanceTimersByTime(3_000)
  showToast('Link copied.')
  showToast('Id copied.')
  expect(texts()).toEqual(['Link copied.', 'Id copied.'])
  vi.advanceTimersByTime(3_000)
  expect(texts()).toEqual(['Link copied.', 'Id copied.'])
})

test('a long sentence stays until it can be read', () => {
  const long = 'The folder is gone, and the client finds the session only there. '.repeat(3)
  showToast(long)
  vi.advanceTimersByTime(10_000)
  expect(texts()).toEqual([long])
  vi.advanceTimersByTime(5_000)
  expect(texts()).toEqual([])
})
