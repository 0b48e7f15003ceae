/**
 * Where to look when a conversation is opened, or when its pieces are other than they were.
 */
import type { Place } from './places'
import { pieceOf, sameplace, uuidOf, type Told } from './told'
import type { Anchor, View } from './view'

/** A place, and how far below the head it is to be. */
export interface Landing {
  readonly anchor: Anchor
  readonly below: number
  /** It was this very pixel: what arrives late around it must not move it. */
  readonly isFirm?: boolean
}

/** A message begins a little below the head. */
const AIR = 12
/** So many pieces around the parting are still the same place to a reader. */
const NEAR = 4

/** Where it was left, if that is what is asked for; else the message that is asked for. */
export function landingFor(
  cover: number,
  told: Pick<Told, 'keys'>,
  at: string | null,
  left: Place | null,
): Landing | null {
  if (left && (!at || uuidOf(left.key) === at)) {
    const index = told.keys.indexOf(left.key)
    if (index >= 0) {
      return fromTop(cover, index, left.inner)
    }
  }
  const index = at ? pieceOf(told, at) : -1
  return index >= 0 ? { anchor: { index, inner: 0 }, below: AIR } : null
}

/** The same screen on another branch: what both have in common stays where it is. */
export function swapped(view: View, keys: readonly string[], others: readonly string[]): Landing | null {
  const shared = sameplace(keys, keys.length - 1, others)
  if (!shared) {
    return null
  }
  const index = keys.indexOf(others[shared.index] ?? '')
  const below = view.onScreen(index) - view.cover
  const isNear = index >= view.reading().index - NEAR && below < view.height
  return { anchor: { index: shared.index, inner: 0 }, below: isNear ? below : AIR }
}

/** The very same place in another list of the same pieces; null at the end. */
export function kept(view: View, keys: readonly string[], others: readonly string[]): Landing | null {
  if (view.pinned) {
    return null
  }
  const { index, inner } = view.reading()
  const same = sameplace(keys, index, others)
  return same && fromTop(view.cover, same.index, same.exact ? inner - view.cover : 0)
}

/** A place counted from the top of the screen: what covers it may be other than it was. */
function fromTop(cover: number, index: number, inner: number): Landing {
  return { anchor: { index, inner }, below: -cover, isFirm: true }
}
