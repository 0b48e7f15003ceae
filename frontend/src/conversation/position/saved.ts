/**
 * What is kept of where one reads: for each conversation in the browser, for each step of the
 * history, and in the address; and which folds were opened.
 *
 * One who leaves at the end wants to see the end again, new words included, so the end is not
 * kept as a place. Only the latest few hundred conversations are remembered.
 */
import { StepValue } from '../../history-state'
import { conversationAddress, replaceAddress } from '../../routes.svelte'
import { parseMessageId } from '../data/conversation'
import type { ConversationRef } from '../data/requests'
import type { FoldStates } from '../list/folds'

/** A piece, and how far into it. */
export interface SavedPlace {
  readonly key: string
  readonly inner: number
}

export type BrowserStorage = Pick<Storage, 'getItem' | 'setItem'>

const NAME = 'bough.places'
const KEPT = 300

/** Name a conversation among the places. */
export function conversationName({ session, tip, agent, until }: ConversationRef): string {
  return [session, tip ?? '', agent ?? '', until ?? ''].join(' ').trimEnd()
}

export function loadPlace(storage: BrowserStorage, name: string): SavedPlace | null {
  return readPlaces(storage)[name] ?? null
}

/** Keep a place in the browser, or with null forget it. */
export function storePlace(storage: BrowserStorage, name: string, place: SavedPlace | null): void {
  const others = Object.entries(readPlaces(storage)).filter(([other]) => other !== name)
  const latest = [...others, ...(place ? [[name, place] as const] : [])].slice(-KEPT)
  try {
    storage.setItem(NAME, JSON.stringify(Object.fromEntries(latest)))
  } catch {
    // A browser that keeps nothing opens at the end; that is all it costs.
  }
}

function readPlaces(storage: BrowserStorage): Record<string, SavedPlace> {
  try {
    const value: unknown = JSON.parse(storage.getItem(NAME) ?? '{}')
    const places: Record<string, SavedPlace> = {}
    for (const [name, place] of Object.entries(value && typeof value === 'object' ? value : {})) {
      if (isSavedPlace(place)) {
        places[name] = place
      }
    }
    return places
  } catch {
    return {}
  }
}

function isSavedPlace(value: unknown): value is SavedPlace {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    typeof value.key === 'string' &&
    'inner' in value &&
    typeof value.inner === 'number'
  )
}

/** Where a step of the history was left. */
export const placeOfStep = new StepValue<SavedPlace | null>('line')

/** Keep a place everywhere; at the end of a conversation there is none to keep. */
export function savePlace(ref: ConversationRef, step: string, place: SavedPlace | null): void {
  const { session, tip, agent, until } = ref
  storePlace(localStorage, conversationName(ref), place)
  placeOfStep.save(place, step)
  // Another screen may be there already when the last scrolling comes to rest.
  if (location.pathname === `/s/${encodeURIComponent(session)}`) {
    const at = place ? parseMessageId(place.key) : null
    replaceAddress(conversationAddress(session, { tip, agent, until, at }))
  }
}

const FOLDS = 'bough.folds.'

/** Keep what was opened and closed in a session, as long as this tab lives. */
export function saveFolds(session: string, states: FoldStates): void {
  try {
    sessionStorage.setItem(FOLDS + session, JSON.stringify(states))
  } catch {
    // Without it folds begin closed again; nothing is lost but that.
  }
}

export function loadFolds(session: string): FoldStates {
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
