import { describe, expect, it } from 'vitest'

import { describeMessage } from './live'

describe('what is said aloud', () => {
  it('names the tool and that it failed', () => {
    expect(describeMessage({ kind: 'result', words: 'pytest -q', tool: 'Bash', failed: true })).toBe(
      'Claude used Bash: pytest -q, failed',
    )
  })

  it('is one line, and not long', () => {
    const words = describeMessage({ kind: 'text', words: `a\n${'b'.repeat(500)}`, tool: null, failed: false })
    expect(words).toMatch(/^Claude: a b+$/)
    expect(words.length).toBeLessThan(140)
  })
})
