import { describe, expect, test } from 'vitest'

import type { LiveSession } from '../wire'
import { findAlerts } from './bell.svelte'
import { describeWaiting, sortSessions, isCurrent, replaceSession } from './live-sessions.svelte'
import { COLORS, assignColors } from './session-colors'

const row = (id: string, state: LiveSession['state'], extra: Partial<LiveSession> = {}): LiveSession =>
  ({ id, state, active_at: '2026-11-15T10:00:00Z', title: id, ...extra }) as LiveSession

describe('the live sessions', () => {
  test('has what waits first, then failed, working, finished', () => {
    const rows = [
      row('a', 'finished'),
      row('b', 'working'),
      row('c', 'failed'),
      row('d', 'waiting'),
      row('e', 'compacting'),
    ]
    expect(sortSessions(rows).map((one) => one.id)).toEqual(['d', 'c', 'e', 'b', 'a'])
  })

  test('tells what waits from what probably waits', () => {
    const [sure, likely] = [row('a', 'waiting', { sure: true }), row('b', 'waiting', { sure: false })]
    expect(describeWaiting([likely])).toBe('1 probably waits')
    expect(describeWaiting([likely, likely])).toBe('2 probably wait')
    expect(describeWaiting([sure, likely])).toBe('2 wait')
  })

  test('changes a row where it stands and adds what is new behind', () => {
    const rows = [row('a', 'working'), row('b', 'working')]
    expect(replaceSession(rows, row('a', 'waiting')).map((one) => one.state)).toEqual(['waiting', 'working'])
    expect(replaceSession(rows, row('c', 'working')).map((one) => one.id)).toEqual(['a', 'b', 'c'])
  })
})

describe('the bell', () => {
  const before = [row('a', 'working'), row('b', 'working'), row('c', 'waiting')]
  const after = [row('a', 'waiting'), row('b', 'failed'), row('c', 'waiting'), row('d', 'waiting')]

  test('rings for what began to wait, once', () =>
    expect(findAlerts(before, after, 'waiting').map((one) => one.id)).toEqual(['a']))
  test('rings for what failed where that is wanted', () =>
    expect(findAlerts(before, after, 'both').map((one) => one.id)).toEqual(['a', 'b']))
  test('is silent until it is pressed', () => expect(findAlerts(before, after, 'off')).toEqual([]))
})

test('neighbours on the Live screen have different colours', () => {
  const ids = Array.from({ length: 60 }, (_, number) => `session-${number % 7}-${number}`)
  const given = ids.map((id) => assignColors(ids).get(id) ?? -1)
  expect(given.every((hue) => hue >= 0 && hue < COLORS)).toBe(true)
  expect(given.some((hue, at) => hue === given[at + 1])).toBe(false)
})

test('what ended before today is not on the Live screen, what waits is', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  expect(isCurrent(row('a', 'finished'), now)).toBe(true)
  expect(isCurrent(row('b', 'finished', { active_at: '2026-11-13T10:00:00Z' }), now)).toBe(false)
  expect(isCurrent(row('c', 'waiting', { active_at: '2026-11-13T10:00:00Z' }), now)).toBe(true)
})
