import { describe, expect, test } from 'vitest'

import {
  applyCompletion,
  getFilter,
  formatFilter,
  toggleFilter,
  cursorPlace,
  wantsCompletion,
  setFilter,
} from './completion'

const at = (marked: string): { text: string; cursor: number } => ({
  text: marked.replace('|', ''),
  cursor: marked.indexOf('|'),
})

describe('completion', () => {
  test.each([
    'tool:|',
    'checkpoint tool:B|',
    '-branch:a|',
    'tool:|Bash after',
    '(kind:t|',
    'project:"my pr|',
    'x project:"|',
  ])('is offered at %s', (text) => expect(wantsCompletion(at(text))).toBe(true))
  test.each(['|', 'tool|', 'checkpoint |', 'tool:Bash |', '"see tool:|', 'std::|', 'to|ol:Bash'])(
    'is not in the way at %s',
    (text) => expect(wantsCompletion(at(text))).toBe(false),
  )

  test('replaces the word and puts the cursor behind it', () => {
    const result = applyCompletion(at('a tool:Ba|'), { from: 2, to: 9 }, { text: 'tool:Bash ', about: '' })
    expect(result).toEqual({ text: 'a tool:Bash ', cursor: 12 })
  })

  test('keeps what follows', () => {
    const result = applyCompletion(
      at('tool:Ba| after:7d'),
      { from: 0, to: 7 },
      { text: 'tool:Bash ', about: '' },
    )
    expect(result).toEqual({ text: 'tool:Bash after:7d', cursor: 10 })
  })

  test('counts characters as the server does', () => {
    expect(cursorPlace(at('🦉 tool:B|'))).toBe(8)
    const result = applyCompletion(at('🦉 tool:B|'), { from: 2, to: 8 }, { text: 'tool:Bash ', about: '' })
    expect(result.text).toBe('🦉 tool:Bash ')
  })
})

describe('narrowing', () => {
  test('adds a filter and takes it away again', () => {
    expect(toggleFilter('"disk  full" x', 'kind:text')).toBe('"disk  full" x kind:text')
    expect(toggleFilter('"disk  full" x kind:text', 'kind:text')).toBe('"disk  full" x')
  })

  test('quotes a value with a space', () =>
    expect(formatFilter('project', 'my shop')).toBe('project:"my shop"'))

  test('replaces a value', () => {
    expect(setFilter('x after:7d', 'after', '30d')).toBe('x after:30d')
    expect(setFilter('x after:7d', 'after', '')).toBe('x')
    expect(getFilter('x after:7d', 'after')).toBe('7d')
  })
})
