import { describe, expect, it } from 'vitest'

import { conversationName, loadPlace, storePlace, type BrowserStorage } from './saved'

function keep(): BrowserStorage {
  const values = new Map<string, string>()
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
  }
}

describe('places', () => {
  it('are kept by conversation', () => {
    const kept = keep()
    storePlace(kept, conversationName({ session: 's', tip: null, agent: null }), { key: 'a', inner: 3 })
    storePlace(kept, conversationName({ session: 's', tip: 't', agent: null }), { key: 'b', inner: 4 })
    expect(loadPlace(kept, 's')).toEqual({ key: 'a', inner: 3 })
    expect(loadPlace(kept, 's t')).toEqual({ key: 'b', inner: 4 })
  })

  it('are forgotten at the end', () => {
    const kept = keep()
    storePlace(kept, 's', { key: 'a', inner: 3 })
    storePlace(kept, 's', null)
    expect(loadPlace(kept, 's')).toBeNull()
  })

  it('do not grow without end', () => {
    const kept = keep()
    for (let number = 0; number < 400; number++) {
      storePlace(kept, `s${number}`, { key: 'a', inner: 0 })
    }
    expect(loadPlace(kept, 's0')).toBeNull()
    expect(loadPlace(kept, 's399')).not.toBeNull()
  })

  it('survive what somebody else wrote', () => {
    const kept = keep()
    kept.setItem('bough.places', '{"s": 5, "t": {"key": 1}}')
    expect(loadPlace(kept, 's')).toBeNull()
    kept.setItem('bough.places', 'not json')
    expect(loadPlace(kept, 't')).toBeNull()
  })
})
