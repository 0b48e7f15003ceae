/** What a session's state is called, and the mark that goes with it. */
import type { SessionItem } from '../wire'

export type StateName = SessionItem['state']

export interface StateWords {
  readonly mark: string
  readonly word: string
}

const MARKS: Readonly<Record<StateName, string>> = {
  working: '●',
  background: '○',
  waiting: '■',
  compacting: '≈',
  failed: '✗',
  interrupted: '⊘',
  finished: '✓',
  deleted: '▢',
}

const WORDS: Readonly<Record<StateName, string>> = {
  working: 'Working',
  background: 'Working in the background',
  waiting: 'Waits for you',
  compacting: 'Compacting',
  failed: 'Failed',
  interrupted: 'Interrupted',
  finished: 'Finished',
  deleted: 'Deleted by the client',
}

/** Whether a state is said to be probable: as `is_guess` in Python, whose cases are ours too. */
export function isGuess(state: StateName, sure: boolean): boolean {
  return !sure && state !== 'finished' && state !== 'deleted'
}

/** Say a state; what is only likely says so. */
export function describeState(state: StateName, sure = true): StateWords {
  const word = WORDS[state]
  return {
    mark: MARKS[state],
    word: isGuess(state, sure) ? `Probably ${word.charAt(0).toLowerCase()}${word.slice(1)}` : word,
  }
}
