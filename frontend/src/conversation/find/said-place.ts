/**
 * The place of a hit among others with the same words: the one that goes on as its snippet does.
 *
 * A snippet is laid out otherwise than the page, without marks of Markdown and on one line, so only
 * letters and digits are compared.
 */
const LEAST = 8
const MOST = 32
const ENOUGH = 200
const BLOCKS = 'p, li, pre, td, th, h1, h2, h3, h4, h5, h6, summary, .typed'

/** Tell whether a text begins as another one does, as far as both go. */
export function beginsAlike(text: string, other: string): boolean {
  const [one, two] = [keepLetters(text), keepLetters(other)]
  const length = Math.min(one.length, two.length)
  return length >= LEAST && one.slice(0, length) === two.slice(0, length)
}

/** Find the place from which the page goes on as a snippet does from its first mark on. */
export function findSaidPlace(ranges: readonly Range[], said: string): Range | undefined {
  return said ? ranges.find((range) => beginsAlike(readOn(range), said)) : undefined
}

function keepLetters(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
    .slice(0, MOST)
}

/** Read from a place to the end of its paragraph. */
function readOn(range: Range): string {
  const block = range.startContainer.parentElement?.closest(BLOCKS)
  if (!block) {
    return ''
  }
  const rest = document.createRange()
  rest.setStart(range.startContainer, range.startOffset)
  rest.setEnd(block, block.childNodes.length)
  return rest.toString().slice(0, ENOUGH)
}
