/** Snippets and the places in them; the server counts characters, not the halves JavaScript counts. */
import type { SearchHit } from '../wire'

export interface SnippetPart {
  readonly text: string
  readonly marked: boolean
}

/** Cut a text into stretches that are marked and stretches that are not. */
export function splitSnippet(text: string, marks: readonly (readonly [number, number])[]): SnippetPart[] {
  const characters = Array.from(text)
  const found: SnippetPart[] = []
  let at = 0
  const take = (to: number, isMarked: boolean): void => {
    if (to > at) {
      found.push({ text: characters.slice(at, to).join(''), marked: isMarked })
      at = to
    }
  }
  for (const [from, to] of [...marks].sort((one, other) => one[0] - other[0])) {
    take(Math.min(from, characters.length), false)
    take(Math.min(to, characters.length), true)
  }
  take(characters.length, false)
  return found
}

/** Give the words that are marked in a hit, each once, the longest first: a phrase before its words. */
export function markedWords(hit: Pick<SearchHit, 'snippet' | 'marks'>): string[] {
  const words = splitSnippet(hit.snippet ?? '', hit.marks).filter((part) => part.marked)
  const unique = [...new Set(words.map((part) => part.text.toLowerCase()))]
  return unique.sort((one, other) => other.length - one.length)
}

/** Give what a hit says from its first mark on: it tells its place from others with the same words. */
export function wordsFromMark(hit: Pick<SearchHit, 'snippet' | 'marks'>): string {
  const parts = splitSnippet(hit.snippet ?? '', hit.marks)
  const first = parts.findIndex((part) => part.marked)
  return first < 0
    ? ''
    : parts
        .slice(first)
        .map((part) => part.text)
        .join('')
}

/** Say who speaks in a hit: You, Claude, a tool by its name. */
export function describeSpeaker(hit: Pick<SearchHit, 'kind' | 'role' | 'tool' | 'agent'>): string {
  if (hit.tool) {
    return hit.tool
  }
  if (hit.kind === 'thinking') {
    return 'Thought'
  }
  if (hit.kind === 'tool_result') {
    return 'Result'
  }
  if (hit.kind === 'note') {
    return 'Note'
  }
  if (hit.role === 'assistant') {
    return 'Claude'
  }
  return hit.agent ? 'Brief' : 'You'
}

/** Turn a place counted in characters into one that JavaScript counts. */
export function toUnits(text: string, characters: number): number {
  return Array.from(text).slice(0, characters).join('').length
}

/** Turn a place that JavaScript counts into one counted in characters. */
export function toCharacters(text: string, units: number): number {
  return Array.from(text.slice(0, units)).length
}
