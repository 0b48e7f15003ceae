/** Marks words in what is shown without touching it, where the browser can. */
const NAME = 'bough-preview'

/** Mark words in an element, and bring the first into sight where that is wanted. */
export function markWords(element: HTMLElement, words: readonly string[], show: boolean): () => void {
  if (!('highlights' in CSS) || words.length === 0) {
    return () => undefined
  }
  const ranges: Range[] = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    ranges.push(...words.flatMap((word) => rangesOf(node, word)))
  }
  CSS.highlights.set(NAME, new Highlight(...ranges))
  if (show) {
    ranges[0]?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' })
  }
  return () => CSS.highlights.delete(NAME)
}

function rangesOf(node: Node, word: string): Range[] {
  const text = (node.textContent ?? '').toLowerCase()
  const found: Range[] = []
  for (let at = text.indexOf(word); at >= 0 && word; at = text.indexOf(word, at + word.length)) {
    const range = new Range()
    range.setStart(node, at)
    range.setEnd(node, Math.min(at + word.length, node.textContent?.length ?? 0))
    found.push(range)
  }
  return found
}
