/** What is kept of where one reads: for this conversation, for this step of the history, in the address. */
import { remember as keepForStep } from '../place'
import { amend, conversation } from '../routes'
import type { Where } from './asking'
import { nameOf, remember, type Place } from './places'
import { uuidOf } from './told'

/** Keep a place; at the end of a conversation there is none to keep. */
export function track(where: Where, step: string, place: Place | null): void {
  const { session, tip, agent } = where
  remember(localStorage, nameOf(session, tip, agent), place)
  keepForStep('line', place ?? undefined, step)
  // Another screen may be there already when the last scrolling comes to rest.
  if (location.pathname === `/s/${encodeURIComponent(session)}`) {
    const find = new URLSearchParams(location.search).get('find')
    amend(conversation(session, { tip, agent, at: place ? uuidOf(place.key) : null, find }))
  }
}
