import { describe, expect, it } from 'vitest'

import { describeWork, isWorking } from './live-line'

const now = new Date('2026-11-16T10:00:14Z')

describe('what Claude is doing', () => {
  it('is what the server says, with a clock', () => {
    const live = { doing: 'Claude is working: Bash pytest -q', doing_since: '2026-11-16T09:59:00Z' }

    expect(describeWork(live, now)).toBe('Claude is working: Bash pytest -q, 1:14')
  })

  it('has no clock where nobody says since when, and is nothing at rest', () => {
    expect(describeWork({ doing: 'Claude is working', doing_since: null }, now)).toBe('Claude is working')
    expect(describeWork({ doing: null, doing_since: null }, now)).toBe('')
  })

  it('is nothing before the conversation is there', () => {
    expect(isWorking(null, { state: 'working' })).toBe(false)
  })
})
