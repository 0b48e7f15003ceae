import { describe, expect, it } from 'vitest'

import { describeWork, isWorking } from './live-line'

const now = new Date('2026-11-16T10:00:14Z')
const live = { state: 'working', sure: true, since: '2026-11-16T10:00:00Z' } as const

describe('what Claude is doing', () => {
  it('names the call that runs, and for how long', () => {
    expect(describeWork(live, { words: 'Bash pytest -q', seconds: 74 }, now)).toBe(
      'Claude is working: Bash pytest -q, 1:14',
    )
  })

  it('says since when it works where no call runs', () => {
    expect(describeWork({ ...live, sure: false }, null, now)).toBe('Claude is probably working, 0:14')
    expect(describeWork({ ...live, since: null }, null, now)).toBe('Claude is working')
  })

  it('is nothing before the conversation is there', () => {
    expect(isWorking(null, live)).toBe(false)
  })
})
