import { describe, expect, test } from 'vitest'

import { markedWords, splitSnippet, describeSpeaker, toCharacters, toUnits, wordsFromMark } from './snippet'

describe('a snippet', () => {
  test('is cut at its marks', () =>
    expect(splitSnippet('a checkpoint file', [[2, 12]])).toEqual([
      { text: 'a ', marked: false },
      { text: 'checkpoint', marked: true },
      { text: ' file', marked: false },
    ]))

  test('is read from its first mark on', () => {
    const marks: [number, number][] = [
      [12, 15],
      [2, 5],
    ]
    expect(wordsFromMark({ snippet: 'a dog and a dog', marks })).toBe('dog and a dog')
    expect(wordsFromMark({ snippet: null, marks: [] })).toBe('')
  })

  test('loses nothing, whatever the marks', () => {
    const text = '🦉 owl and owl'
    for (const marks of [
      [],
      [[0, 1]],
      [
        [2, 5],
        [10, 13],
      ],
      [[10, 99]],
      [[5, 2]],
      [
        [2, 5],
        [3, 7],
      ],
    ] as [number, number][][]) {
      expect(
        splitSnippet(text, marks)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
    }
  })

  test('counts characters, not halves of them', () =>
    expect(splitSnippet('🦉 owl', [[2, 5]]).filter((part) => part.marked)).toEqual([
      { text: 'owl', marked: true },
    ]))

  test('names its words once', () =>
    expect(
      markedWords({
        snippet: 'Owl and owl',
        marks: [
          [0, 3],
          [8, 11],
        ],
      }),
    ).toEqual(['owl']))

  test.each([0, 1, 2, 4])('turns place %d there and back', (place) =>
    expect(toCharacters('🦉 owl', toUnits('🦉 owl', place))).toBe(place),
  )
})

test.each([
  [{ kind: 'prompt', role: 'user', tool: null, agent: null }, 'You'],
  [{ kind: 'prompt', role: 'user', tool: null, agent: 'a1' }, 'Brief'],
  [{ kind: 'text', role: 'assistant', tool: null, agent: null }, 'Claude'],
  [{ kind: 'thinking', role: 'assistant', tool: null, agent: null }, 'Thought'],
  [{ kind: 'tool_input', role: 'assistant', tool: 'Edit', agent: null }, 'Edit'],
  [{ kind: 'tool_result', role: 'user', tool: null, agent: null }, 'Result'],
])('%j is said by %s', (hit, who) => expect(describeSpeaker(hit)).toBe(who))
