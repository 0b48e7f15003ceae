import { describe, expect, test } from 'vitest'

import { completed, filterIn, filterOf, narrowed, placeOf, wantsCompletion, withFilter } from './completing'

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
    const result = completed(at('a tool:Ba|'), { from: 2, to: 9 }, { text: 'tool:Bash ', about: '' })
    expect(result).toEqual({ text: 'a tool:Bash ', cursor: 12 })
  })

  test('keeps what follows', () => {
    const result = completed(at('tool:Ba| after:7d'), { from: 0, to: 7 }, { text: 'tool:Bash ', about: '' })
    expect(result).toEqual({ text: 'tool:Bash after:7d', cursor: 10 })
  })

  test('counts characters as the server does', () => {
    expect(placeOf(at('🦉 tool:B|'))).toBe(8)
    const result = completed(at('🦉 tool:B|'), { from: 2, to: 8 }, { text: 'tool:Bash ', about: '' })
    expect(result.text).toBe('🦉 tool:Bash ')
  })
})

describe('narrowing', () => {
  test('adds a filter and takes it away again', () => {
    expect(narrowed('"disk  full" x', 'kind:text')).toBe('"disk  full" x kind:text')
    expect(narrowed('"disk  full" x kind:text', 'kind:text')).toBe('"disk  full" x')
  })

  test('quotes a value with a space', () => expect(filterOf('project', 'my shop')).toBe('project:"my shop"'))

  test('replaces a value', () => {
    expect(withFilter('x after:7d', 'after', '30d')).toBe('x after:30d')
    expect(withFilter('x after:7d', 'after', '')).toBe('x')
    expect(filterIn('x after:7d', 'after')).toBe('7d')
  })
})
