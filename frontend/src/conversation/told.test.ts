import { describe, expect, it } from 'vitest'
import type { ChangesAnswer } from '../wire'
import { join, outlineAt, pieceOf, promptBeside, sameplace, uuidOf, type Told } from './told'

const told: Told = {
  session: 's',
  agent: null,
  tip: 't',
  active: true,
  revision: '1',
  partial: false,
  keys: ['a', 'b', 'b:1', 'c/twig', 'c'],
  kinds: ['prompt', 'answer', 'answer', 'twig', 'prompt'],
  lines: [1, 2, 3, 1, 1],
  marks: ['p', '', 'e', 't', 'p'],
  outline: [],
  band: null,
}

function change(from: number, keys: string[]): ChangesAnswer {
  return {
    revision: '2',
    from,
    count: from + keys.length,
    keys,
    kinds: keys.map(() => 'answer'),
    lines: keys.map(() => 1),
    marks: keys.map(() => ''),
    pieces: [],
    outline: null,
    title: 'x',
    state: 'working',
    sure: true,
    tip: 't2',
    active: true,
  }
}

describe('a change', () => {
  it('replaces the tail and names what was not there before', () => {
    const joined = join(told, change(4, ['c', 'd']))
    expect(joined.told.keys).toEqual(['a', 'b', 'b:1', 'c/twig', 'c', 'd'])
    expect(joined.told.lines).toHaveLength(6)
    expect(joined.fresh).toEqual(['d'])
    expect(joined.told.revision).toBe('2')
  })

  it('that comes twice changes nothing more', () => {
    const once = join(told, change(4, ['c', 'd']))
    const twice = join(once.told, change(4, ['c', 'd']))
    expect(twice.told.keys).toEqual(once.told.keys)
    expect(twice.fresh).toEqual([])
  })

  it('may take pieces away', () => {
    expect(join(told, change(2, [])).told.keys).toEqual(['a', 'b'])
  })
})

describe('a place', () => {
  it('is the same piece where both lists have it', () => {
    expect(sameplace(told.keys, 2, ['x', 'b:1'])).toEqual({ index: 1, exact: true })
  })

  it('is the nearest common piece before it otherwise', () => {
    expect(sameplace(told.keys, 4, ['a', 'b', 'z'])).toEqual({ index: 1, exact: false })
    expect(sameplace(told.keys, 4, ['z'])).toBeNull()
  })

  it('is found by the message it belongs to', () => {
    expect(uuidOf('b:12')).toBe('b')
    expect(uuidOf('c/twig')).toBe('c')
    expect(pieceOf(told, 'c')).toBe(4)
    expect(pieceOf(told, 'nowhere')).toBe(-1)
  })
})

describe('prompts', () => {
  it('are walked in both directions', () => {
    expect(promptBeside(told, 0, 1)).toBe(4)
    expect(promptBeside(told, 4, -1)).toBe(0)
    expect(promptBeside(told, 4, 1)).toBe(-1)
  })

  it('mark the line of the outline one is in', () => {
    const outline = [0, 4, 9].map((number) => ({
      number,
      kind: number === 4 ? 'seam' : 'prompt',
      text: '',
      time: null,
      agents: 0,
      failed: 0,
      steps: 0,
      end: '',
      about: '',
      tip: null,
      uuid: null,
    }))
    expect(outlineAt(outline, 5)).toBe(0)
    expect(outlineAt(outline, 9)).toBe(2)
    expect(outlineAt(outline, -1)).toBe(-1)
  })
})
