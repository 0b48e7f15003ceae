/** Completion in the search box: after `word:`, and nowhere else, so that it is never in the way. */
import type { CompleteAnswer, SearchCompletion } from '../wire'
import { toCharacters, toUnits } from './snippet'

export interface Typed {
  readonly text: string
  readonly cursor: number
}

/** Tell whether a filter is being typed where the cursor stands. */
export function wantsCompletion({ text, cursor }: Typed): boolean {
  const word = /(?:[^\s"(]|"[^"]*"?)*$/.exec(text.slice(0, cursor))?.[0] ?? ''
  return /^-?[a-z]+:(?!:)/i.test(word)
}

/** Put a completion where it belongs; a space follows, unless one is there. */
export function applyCompletion(
  { text }: Typed,
  answer: Pick<CompleteAnswer, 'from' | 'to'>,
  item: SearchCompletion,
): Typed {
  const from = toUnits(text, answer.from)
  const to = toUnits(text, answer.to)
  const after = text.slice(to)
  const word = item.text.trimEnd()
  const head = text.slice(0, from) + word + (word.endsWith(':') || after.startsWith(' ') ? '' : ' ')
  const skip = after.startsWith(' ') && !word.endsWith(':') ? 1 : 0
  return { text: head + after, cursor: head.length + skip }
}

/** Write where the cursor is, as the server counts. */
export function cursorPlace({ text, cursor }: Typed): number {
  return toCharacters(text, cursor)
}

/** Add a filter to a query, or take it out where it stands already. */
export function toggleFilter(query: string, filter: string): string {
  const words = splitQuery(query)
  return (words.includes(filter) ? words.filter((word) => word !== filter) : [...words, filter]).join(' ')
}

/** Put another value of a filter in the place of the one a query has. */
export function setFilter(query: string, name: string, value: string): string {
  const words = splitQuery(query).filter((word) => !word.startsWith(`${name}:`))
  return (value ? [...words, formatFilter(name, value)] : words).join(' ')
}

/** Give the value of a filter in a query; empty where it has none. */
export function getFilter(query: string, name: string): string {
  const word = splitQuery(query).find((one) => one.startsWith(`${name}:`))
  return word ? word.slice(name.length + 1).replace(/^"|"$/g, '') : ''
}

export function splitQuery(query: string): string[] {
  return query.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []
}

/** Write a filter; a value with spaces needs quotes. */
export function formatFilter(name: string, value: string): string {
  return /[\s"()]/.test(value) ? `${name}:"${value.replaceAll('"', '""')}"` : `${name}:${value}`
}
