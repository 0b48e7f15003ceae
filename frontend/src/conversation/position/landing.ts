/**
 * Where to look when a conversation is opened, or when its pieces are other than they were.
 */
import { findPiece, findSamePiece, parseMessageId, type Conversation } from '../data/conversation'
import type { Anchor, Viewport } from '../list/viewport'
import type { SavedPlace } from './saved'

/** A place, and how far below the head it is to be. */
export interface Landing {
  readonly anchor: Anchor
  readonly below: number
  /** It was this very pixel: what arrives late around it must not move it. */
  readonly isExact?: boolean
}

/** A message begins a little below the head. */
const SPACE_ABOVE = 12
/** So many pieces around the branch point are still the same place to a reader. */
const NEAR = 4

/** Where it was left, if that is what is asked for; else the message that is asked for. */
export function findLanding(
  headHeight: number,
  conversation: Pick<Conversation, 'keys'>,
  at: string | null,
  left: SavedPlace | null,
): Landing | null {
  if (left && (!at || parseMessageId(left.key) === at)) {
    const index = conversation.keys.indexOf(left.key)
    if (index >= 0) {
      return landFromTop(headHeight, index, left.inner)
    }
  }
  const index = at ? findPiece(conversation, at) : -1
  return index >= 0 ? { anchor: { index, inner: 0 }, below: SPACE_ABOVE } : null
}

/** The same screen on another branch: what both have in common stays where it is. */
export function findSharedLanding(
  view: Viewport,
  keys: readonly string[],
  others: readonly string[],
): Landing | null {
  const shared = findSamePiece(keys, keys.length - 1, others)
  if (!shared) {
    return null
  }
  const index = keys.indexOf(others[shared.index] ?? '')
  const below = view.screenTop(index) - view.headHeight
  const isNear = index >= view.readingAnchor().index - NEAR && below < view.height
  return { anchor: { index: shared.index, inner: 0 }, below: isNear ? below : SPACE_ABOVE }
}

/** The very same place in another list of the same pieces; null at the end. */
export function findSameLanding(
  view: Viewport,
  keys: readonly string[],
  others: readonly string[],
): Landing | null {
  if (view.isPinned) {
    return null
  }
  const { index, inner } = view.readingAnchor()
  const same = findSamePiece(keys, index, others)
  return same && landFromTop(view.headHeight, same.index, same.exact ? inner - view.headHeight : 0)
}

/** A place counted from the top of the screen: what covers it may be other than it was. */
function landFromTop(headHeight: number, index: number, inner: number): Landing {
  return { anchor: { index, inner }, below: -headHeight, isExact: true }
}
