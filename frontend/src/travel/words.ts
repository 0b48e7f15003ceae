/** What the dialog of a change says for each kind of change. */
import type { TravelBody } from '../wire'

/** A change that somebody would like to see. */
export type TravelRequest = TravelBody & Required<Pick<TravelBody, 'operation'>>

export interface TravelWords {
  readonly title: string
  readonly confirm: string
  /** The label of the title's field; null where a change has none. */
  readonly field: string | null
  /** Whether a folder may be chosen for what is written. */
  readonly hasFolder: boolean
}

export function describeTravel(body: TravelRequest): TravelWords {
  switch (body.operation) {
    case 'fork':
      return {
        title: 'Fork a new session',
        confirm: 'Fork and copy the resume command',
        field: 'Title',
        hasFolder: true,
      }
    case 'goto':
      return {
        title: 'Make this the active branch',
        confirm: 'Make it active',
        field: null,
        hasFolder: false,
      }
    case 'rename':
      return {
        title: 'Give the session another title',
        confirm: 'Give it this title',
        field: 'Title',
        hasFolder: false,
      }
    case 'repair':
      return body.in_place
        ? { title: 'Repair the session in place', confirm: 'Repair this file', field: null, hasFolder: false }
        : {
            title: 'Write a repaired copy',
            confirm: 'Write the copy',
            field: 'Title of the copy',
            hasFolder: false,
          }
    case 'restore':
      return { title: 'Bring back a session', confirm: 'Bring it back', field: null, hasFolder: false }
    case 'undo':
      return { title: 'Undo a change bough made', confirm: 'Undo it', field: null, hasFolder: false }
  }
}

const FIRST = 3
const LAST = 5

/** Which prompts are listed, and how many between them are not. */
export function cutPrompts(prompts: readonly string[]): {
  readonly first: readonly string[]
  readonly hidden: number
  readonly last: readonly string[]
} {
  const hidden = prompts.length - FIRST - LAST
  return hidden > 1
    ? { first: prompts.slice(0, FIRST), hidden, last: prompts.slice(-LAST) }
    : { first: [], hidden: 0, last: prompts }
}
