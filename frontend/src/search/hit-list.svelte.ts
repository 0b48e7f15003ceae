/**
 * The hits of the last search, for whoever walks through them: `n` and `N` go on from hit to hit
 * and from session to session without coming back to the list.
 */
import { getJson, TYPED } from '../api'
import { formatCount } from '../formats'
import {
  conversationAddress,
  goBackTo,
  goTo,
  presentStep,
  buildAddress,
  type PastStep,
} from '../routes.svelte'
import type { SearchAnswer, SearchHit } from '../wire'
import { groupHits, listHits, removeDuplicates, type FoundHit } from './groups'
import { markedWords, wordsFromMark } from './snippet'

/** A place in a conversation: what an address names. */
export interface HitPlace {
  readonly session: string
  readonly uuid: string | null
  readonly agent: string | null
}

export interface HitWalk {
  readonly query: string
  readonly sort: string
  readonly hits: readonly FoundHit[]
  readonly total: number
  readonly exact: boolean
  readonly next: string | null
  /** How many sessions have hits; null where that is not known. */
  readonly sessions: number | null
  /** The number of the hit that was jumped to last; -1 before the first. */
  readonly at: number
}

let now = $state.raw<HitWalk | null>(null)

export const hitWalk = {
  /** Null until something was searched for. */
  get current(): HitWalk | null {
    return now
  },
}

/** Take over the hits that are shown, in the order in which they are shown. */
export function setHits(found: Omit<HitWalk, 'at' | 'sessions'> & Partial<HitWalk>, at = -1): void {
  now = { sessions: null, ...found, at }
}

/** Begin a new walk with an answer, unless it is the one that is there; tells whether it did. */
export function startWalk(answer: SearchAnswer, sort: string): boolean {
  const isKnown = now?.query === answer.query && now.sort === sort && now.total === answer.total
  if (!isKnown) {
    const hits = listHits(groupHits(removeDuplicates(answer.hits)))
    const { query, total, exact, next, sessions } = answer
    setHits({ query, sort, hits, total, exact, next, sessions })
  }
  return !isKnown
}

/** Give the address of a hit. */
export function hitAddress(hit: HitPlace): string {
  return conversationAddress(hit.session, { at: hit.uuid, agent: hit.agent })
}

let resultsStep: PastStep | null = null

/** Note where the hits are listed: the step that the reader comes back to. */
export function noteResults(): void {
  resultsStep = presentStep()
}

/** Go back to the list of hits, at the place where it was left. */
export function goBackToResults(): void {
  if (resultsStep) {
    goBackTo(resultsStep)
  } else {
    goTo(buildAddress('/search', { q: now?.query, sort: now?.sort === 'newest' ? now.sort : '' }))
  }
}

/** Say which hit is being read: "3 of 180, session 1 of 12". */
export function describeHitPlace(walk: HitWalk): string {
  const hit = walk.hits[walk.at]
  if (!hit) {
    return ''
  }
  const more = walk.exact ? '' : '+'
  const sessions = [...new Set(walk.hits.map((one) => one.session))]
  const all = walk.sessions ?? (walk.next ? null : sessions.length)
  const session = `session ${formatCount(sessions.indexOf(hit.session) + 1)}${all === null ? '' : ` of ${formatCount(all)}`}`
  return `${formatCount(walk.at + 1)} of ${formatCount(walk.total)}${more}, ${session}`
}

/** Note which hit is being read. */
export function setCurrentHit(number: number): void {
  now = now && { ...now, at: number }
}

/** Find the number of the hit at a place; -1 where there is none. */
export function findHit(spot: HitPlace): number {
  const same = (hit: SearchHit): boolean =>
    hit.session === spot.session && hit.uuid === spot.uuid && (hit.agent ?? null) === (spot.agent ?? null)
  if (now && now.at >= 0) {
    const current = now.hits[now.at]
    if (current && same(current)) {
      return now.at
    }
  }
  return now ? now.hits.findIndex(same) : -1
}

/** Give the words to mark at a place: what the search marked in the hit there. */
export function wordsToMark(spot: HitPlace): readonly string[] {
  const hit = now?.hits[findHit(spot)]
  return hit ? markedWords(hit) : []
}

/** Give what is said at a place from the first of these words on. */
export function wordsSaidAt(spot: HitPlace): string {
  const hit = now?.hits[findHit(spot)]
  return hit ? wordsFromMark(hit) : ''
}

/**
 * Step from a place to the next or previous hit and give its address; null at either end, or
 * where nothing was searched for. The next page is asked for when the known hits end.
 */
export async function stepToHit(spot: HitPlace, by: 1 | -1): Promise<string | null> {
  const here = findHit(spot)
  const from = here >= 0 ? here : (now?.at ?? -1)
  const number = from + by
  if (now?.next && number >= now.hits.length) {
    await loadMoreHits()
  }
  const hit = now?.hits[number]
  if (!hit) {
    return null
  }
  setCurrentHit(number)
  return hitAddress(hit)
}

/** Ask for the next page of the walk. */
export async function loadMoreHits(signal?: AbortSignal): Promise<void> {
  const asked = now
  if (!asked?.next) {
    return
  }
  const answer = await getJson<SearchAnswer>(
    '/api/search',
    { q: asked.query, sort: asked.sort, cursor: asked.next },
    signal,
    TYPED, // what has a page was run already
  )
  if (now?.query === asked.query && now.sort === asked.sort && now.next === asked.next) {
    const current = now.hits[now.at]
    const hits = listHits(groupHits(removeDuplicates([...now.hits, ...answer.hits])))
    const isCurrent = (hit: SearchHit): boolean =>
      hit.session === current?.session && hit.uuid === current.uuid && hit.kind === current.kind
    const at = current ? hits.findIndex(isCurrent) : now.at
    now = { ...now, hits, at, next: answer.next, total: answer.total, exact: answer.exact }
  }
}
