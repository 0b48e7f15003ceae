import { describe, expect, it } from 'vitest'

import { runOnceMore } from './run-once-more'

describe('one at a time', () => {
  it('runs once more for all that was asked meanwhile', async () => {
    let runs = 0
    let end: () => void = () => undefined
    const ask = runOnceMore(() => {
      runs += 1
      return new Promise((resolve) => (end = resolve))
    })
    const first = ask()
    void ask()
    void ask()
    expect(runs).toBe(1)
    end()
    await Promise.resolve()
    await Promise.resolve()
    expect(runs).toBe(2)
    end()
    await first
    expect(runs).toBe(2)
  })

  it('can be asked again after it failed', async () => {
    let runs = 0
    const ask = runOnceMore(() => {
      runs += 1
      return runs === 1 ? Promise.reject(new Error('no')) : Promise.resolve()
    })
    await expect(ask()).rejects.toThrow('no')
    await ask()
    expect(runs).toBe(2)
  })
})
