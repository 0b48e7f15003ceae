/**
 * What the page knows of a conversation: the names of all pieces, and how changes are put in.
 *
 * Lists are by piece number. A change replaces everything from one piece on; what is before it
 * is the same list, so nothing above the reader moves.
 */
import type { ChangesAnswer, ConversationAnswer, OutlineEntry } from '../../wire'

export interface Conversation {
  readonly session: string
  readonly agent: string | null
  readonly tip: string | null
  readonly active: boolean
  readonly revision: string
  readonly partial: boolean
  readonly keys: readonly string[]
  readonly kinds: readonly string[]
  readonly lines: readonly number[]
  readonly marks: readonly string[]
  readonly outline: readonly OutlineEntry[]
  readonly banner: string | null
}

/** What a change brought. */
export interface AppliedChange {
  readonly conversation: Conversation
  /** The first piece that is other than before. */
  readonly from: number
  /** Pieces that were not there before. */
  readonly fresh: readonly string[]
  /** So many steps were not there before. */
  readonly steps: number
}

export function conversationFrom(answer: ConversationAnswer): Conversation {
  const { session, agent, tip, active, revision, partial, keys, kinds, lines, marks, outline, banner } =
    answer
  return { session, agent, tip, active, revision, partial, keys, kinds, lines, marks, outline, banner }
}

/** Put a change into what is known. */
export function applyChange(conversation: Conversation, change: ChangesAnswer): AppliedChange {
  const from = Math.min(change.from, conversation.keys.length)
  const before = new Set(conversation.keys.slice(from))
  return {
    conversation: {
      ...conversation,
      revision: change.revision,
      tip: change.tip ?? conversation.tip,
      active: change.active,
      keys: [...conversation.keys.slice(0, from), ...change.keys],
      kinds: [...conversation.kinds.slice(0, from), ...change.kinds],
      lines: [...conversation.lines.slice(0, from), ...change.lines],
      marks: [...conversation.marks.slice(0, from), ...change.marks],
      outline: change.outline ?? conversation.outline,
    },
    from,
    fresh: change.keys.filter((key) => !before.has(key)),
    steps: change.outline ? Math.max(0, countSteps(change.outline) - countSteps(conversation.outline)) : 0,
  }
}

function countSteps(outline: readonly OutlineEntry[]): number {
  return outline.reduce((sum, item) => sum + item.steps, 0)
}

/** The message a piece belongs to, from its key. */
export function parseMessageId(key: string): string {
  return key.split(/[:/]/, 1)[0] ?? key
}

/**
 * The same place in another list of pieces: the piece itself, else the nearest one before it
 * that is in both. Null where the lists have nothing in common up to there.
 */
export function findSamePiece(
  keys: readonly string[],
  index: number,
  others: readonly string[],
): { index: number; exact: boolean } | null {
  const places = new Map(others.map((key, place) => [key, place]))
  for (let at = index; at >= 0; at--) {
    const key = keys[at]
    const found = key === undefined ? undefined : places.get(key)
    if (found !== undefined) {
      return { index: found, exact: at === index }
    }
  }
  return null
}

/** The number of the piece a message begins with, from the names of pieces alone. */
export function findPiece(conversation: Pick<Conversation, 'keys'>, uuid: string): number {
  const exact = conversation.keys.indexOf(uuid)
  return exact >= 0 ? exact : conversation.keys.findIndex((key) => parseMessageId(key) === uuid)
}

/** The next or previous piece that a person began, from a place; -1 where there is none. */
export function findPrompt(conversation: Conversation, index: number, step: 1 | -1): number {
  for (let at = index + step; at >= 0 && at < conversation.keys.length; at += step) {
    if (conversation.marks[at]?.includes('p')) {
      return at
    }
  }
  return -1
}

/** The pieces of the turn that a piece is in: from its prompt up to the next one. */
export function listTurn(conversation: Pick<Conversation, 'keys' | 'marks'>, index: number): string[] {
  const { keys, marks } = conversation
  const isPrompt = (at: number): boolean => marks[at]?.includes('p') ?? false
  let first = index
  while (first > 0 && !isPrompt(first)) {
    first -= 1
  }
  let end = index + 1
  while (end < keys.length && !isPrompt(end)) {
    end += 1
  }
  return keys.slice(first, end)
}

/** The line of the outline one is in at a piece; -1 before the first. */
export function findOutlineItem(outline: readonly OutlineEntry[], number: number): number {
  let found = -1
  outline.forEach((item, place) => {
    if (item.number <= number && item.kind !== 'compaction' && item.kind !== 'side-branch') {
      found = place
    }
  })
  return found
}

const PROMPT_KINDS = new Set(['prompt', 'queued', 'command', 'shell'])

/** Count what a person sent: each begins a turn, and nothing else in an outline does. */
export function countPrompts(outline: readonly OutlineEntry[]): number {
  return outline.filter((item) => PROMPT_KINDS.has(item.kind)).length
}
