/** What is kept of where one reads: for this conversation, for this step of the history, in the address. */
import { StepValue } from '../place'
import { amend, conversation } from '../routes'
import type { Where } from './asking'
import type { Opened } from './folds'
import { nameOf, remember, type Place } from './places'
import { uuidOf } from './told'

/** Where a step of the history was left. */
export const placeOfStep = new StepValue<Place | null>('line')

/** Keep a place; at the end of a conversation there is none to keep. */
export function track(where: Where, step: string, place: Place | null): void {
  const { session, tip, agent } = where
  remember(localStorage, nameOf(session, tip, agent), place)
  placeOfStep.save(place, step)
  // Another screen may be there already when the last scrolling comes to rest.
  if (location.pathname === `/s/${encodeURIComponent(session)}`) {
    amend(conversation(session, { tip, agent, at: place ? uuidOf(place.key) : null }))
  }
}

const FOLDS = 'bough.folds.'

/** Keep what was opened and closed in a session, as long as this tab lives. */
export function keepFolds(session: string, opened: Opened): void {
  try {
    sessionStorage.setItem(FOLDS + session, JSON.stringify(opened))
  } catch {
    // Without it folds begin closed again; nothing is lost but that.
  }
}

export function foldsKept(session: string): Opened {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(FOLDS + session) ?? '{}')
    const entries = Object.entries(typeof value === 'object' && value !== null ? value : {})
    return Object.fromEntries(
      entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
    )
  } catch {
    return {}
  }
}
