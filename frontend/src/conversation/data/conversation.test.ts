import { describe, expect, it } from 'vitest'

import type { ChangesAnswer } from '../../wire'
import {
  applyChange,
  findOutlineItem,
  findPiece,
  findPrompt,
  findSamePiece,
  listTurn,
  parseMessageId,
  type Conversation,
} from './conversation'

const conversation: Conversation = {
  session: 's',
  agent: null,
  tip: 't',
  active: true,
  revision: '1',
  partial: false,
  keys: ['a', 'b', 'b:1', 'c/side-branch', 'c'],
  kinds: ['prompt', 'answer', 'answer', 'side-branch', 'prompt'],
  lines: [1, 2, 3, 1, 1],
  marks: ['p', '', 'e', 't', 'p'],
  outline: [],
  banner: null,
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
    const applied = applyChange(conversation, change(4, ['c', 'd']))
    expect(applied.conversation.keys).toEqual(['a', 'b', 'b:1', 'c/side-branch', 'c', 'd'])
    expect(applied.conversation.lines).toHaveLength(6)
    expect(applied.fresh).toEqual(['d'])
    expect(applied.conversation.revision).toBe('2')
  })

  it('that comes twice changes nothing more', () => {
    const once = applyChange(conversation, change(4, ['c', 'd']))
    const twice = applyChange(once.conversation, change(4, ['c', 'd']))
    expect(twice.conversation.keys).toEqual(once.conversation.keys)
    expect(twice.fresh).toEqual([])
  })

  it('may take pieces away', () => {
    expect(applyChange(conversation, change(2, [])).conversation.keys).toEqual(['a', 'b'])
  })
})

describe('a place', () => {
  it('is the same piece where both lists have it', () => {
    expect(findSamePiece(conversation.keys, 2, ['x', 'b:1'])).toEqual({ index: 1, exact: true })
  })

  it('is the nearest common piece before it otherwise', () => {
    expect(findSamePiece(conversation.keys, 4, ['a', 'b', 'z'])).toEqual({ index: 1, exact: false })
    expect(findSamePiece(conversation.keys, 4, ['z'])).toBeNull()
  })

  it('is found by the message it belongs to', () => {
    expect(parseMessageId('b:12')).toBe('b')
    expect(parseMessageId('c/side-branch')).toBe('c')
    expect(findPiece(conversation, 'c')).toBe(4)
    expect(findPiece(conversation, 'nowhere')).toBe(-1)
  })
})

describe('prompts', () => {
  it('are walked in both directions', () => {
    expect(findPrompt(conversation, 0, 1)).toBe(4)
    expect(findPrompt(conversation, 4, -1)).toBe(0)
    expect(findPrompt(conversation, 4, 1)).toBe(-1)
  })

  it('mark the line of the outline one is in', () => {
    const outline = [0, 4, 9].map((number) => ({
      number,
      kind: number === 4 ? 'compaction' : 'prompt',
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
    expect(findOutlineItem(outline, 5)).toBe(0)
    expect(findOutlineItem(outline, 9)).toBe(2)
    expect(findOutlineItem(outline, -1)).toBe(-1)
  })
})

describe('the pieces of a turn', () => {
  it.each([
    [0, ['a', 'b', 'b:1', 'c/side-branch']],
    [2, ['a', 'b', 'b:1', 'c/side-branch']],
    [4, ['c']],
  ])('from piece %i are those from its prompt to the next', (index, keys) => {
    expect(listTurn(conversation, index)).toEqual(keys)
  })
})
