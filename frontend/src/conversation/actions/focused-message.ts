/** Which message an action is about: the one the keyboard is in, else the one that is read. */
import { parseMessageId } from '../data/conversation'
import type { OpenConversation } from '../open-conversation.svelte'

/** The row of the piece the keyboard is in. */
export function focusedPiece(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('.slot') ?? null
}

/** The row of the piece the keyboard is in, else of the one that is read: who went to the end, reads the end. */
export function pieceHere(page: OpenConversation): HTMLElement | null {
  const { current, isAtStart, isFollowing } = page.position
  const read = isFollowing && !isAtStart ? -1 : current
  const key = focusedPiece()?.dataset['piece'] ?? page.data?.keys.at(read) ?? ''
  return page.list?.element(key) ?? null
}

export function messageHere(page: OpenConversation): string {
  const inside = document.activeElement?.closest<HTMLElement>('.strip [data-uuid]')?.dataset['uuid']
  return inside ?? parseMessageId(pieceHere(page)?.dataset['piece'] ?? '')
}

/** The record of the message: by its id, or by its place in the file where it has none. */
export function findRecordHere(page: OpenConversation): { uuid?: string; offset?: number } {
  const uuid = messageHere(page)
  return uuid.startsWith('@') ? { offset: Number(uuid.slice(1)) } : { uuid }
}
