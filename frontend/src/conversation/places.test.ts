import { describe, expect, it } from 'vitest'
import { nameOf, recall, remember, type Keep } from './places'

function keep(): Keep {
  const values = new Map<string, string>()
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
  }
}

describe('places', () => {
  it('are kept by conversation', () => {
    const kept = keep()
    remember(kept, nameOf('s', null, null), { key: 'a', inner: 3 })
    remember(kept, nameOf('s', 't', null), { key: 'b', inner: 4 })
    expect(recall(kept, 's')).toEqual({ key: 'a', inner: 3 })
    expect(recall(kept, 's t')).toEqual({ key: 'b', inner: 4 })
  })

  it('are forgotten at the end', () => {
    const kept = keep()
    remember(kept, 's', { key: 'a', inner: 3 })
    remember(kept, 's', null)
    expect(recall(kept, 's')).toBeNull()
  })

  it('do not grow without end', () => {
    const kept = keep()
    for (let number = 0; number < 400; number++) {
      remember(kept, `s${number}`, { key: 'a', inner: 0 })
    }
    expect(recall(kept, 's0')).toBeNull()
    expect(recall(kept, 's399')).not.toBeNull()
  })

  it('survive what somebody else wrote', () => {
    const kept = keep()
    kept.setItem('bough.places', '{"s": 5, "t": {"key": 1}}')
    expect(recall(kept, 's')).toBeNull()
    kept.setItem('bough.places', 'not json')
    expect(recall(kept, 't')).toBeNull()
  })
})
