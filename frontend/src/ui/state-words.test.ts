import { describe, expect, test } from 'vitest'

import cases from '../words.cases.json'
import { describeState, isGuess, type StateName } from './state-words'

describe('states', () => {
  test.each(cases.guess as [[StateName, boolean], boolean][])(
    'that %j is a guess is %s',
    ([state, sure], guess) => {
      expect(isGuess(state, sure)).toBe(guess)
    },
  )

  test('say that they are probable, but not of what is deleted', () => {
    expect(describeState('interrupted', false).word).toBe('Probably interrupted')
    expect(describeState('interrupted').word).toBe('Interrupted')
    expect(describeState('deleted', false).word).toBe('Deleted by the client')
  })
})
