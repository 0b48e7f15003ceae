import { describe, expect, test } from 'vitest'

import type { LiveSession, SessionItem } from '../wire'
import { appendRows, mergeLive } from './session-pages.svelte'

const row = (id: string, extra: Partial<SessionItem> = {}): SessionItem =>
  ({ id, title: id, cost_usd: 1, unpriced_models: [], ended_at: 'old', ...extra }) as SessionItem

describe('rows', () => {
  test('that come on two pages are shown once', () =>
    expect(appendRows([row('a'), row('b')], [row('b'), row('c')]).map((one) => one.id)).toEqual([
      'a',
      'b',
      'c',
    ]))

  test('take over what an event knows and keep what it does not', () => {
    const live = {
      id: 'a',
      title: 'A',
      state: 'waiting',
      sure: true,
      asks: 'run?',
      since: 's',
      active_at: 'new',
      cost_usd: null,
      unpriced_models: ['lab-9'],
      partial: false,
      model: null,
      git_branch: null,
    }
    expect(mergeLive(row('a', { model: 'opus' }), live as LiveSession)).toMatchObject({
      title: 'A',
      state: 'waiting',
      asks: 'run?',
      ended_at: 'new',
      cost_usd: 1,
      unpriced_models: [],
      model: 'opus',
    })
  })
})
