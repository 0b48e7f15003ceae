/**
 * Marks words in the page without touching it: the browser paints ranges of text.
 *
 * Nothing is put around the words, so folds, selections and copies stay what they are. Browsers
 * without the Custom Highlight API show no marks; everything else works.
 */
const HITS = 'hit'
const CURRENT = 'hit-now'
const BLOCKS =
  'p, li, pre, td, th, h3, h4, summary, button, figcaption, .typed, .prose, .body, .preview, .line'

/** Texts that stand next to each other, as one string and the nodes it comes from. */
interface TextRun {
  text: string
  nodes: { node: Text; from: number }[]
}

/** Find every place of the words below an element, in the order they stand. */
export function findRanges(root: Element, words: string): Range[] {
  const wanted = words.toLowerCase()
  if (!wanted.trim()) {
    return []
  }
  const found: Range[] = []
  for (const run of textRuns(root)) {
    const text = run.text.toLowerCase()
    // Letters whose lower case is longer would move all places after them.
    if (text.length !== run.text.length) {
      continue
    }
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      found.push(rangeIn(run, at, at + wanted.length))
    }
  }
  return found
}

/** Find every place of any of several words. */
export function findRangesOfAny(root: Element, words: readonly string[]): Range[] {
  const all = words.flatMap((word) => findRanges(root, word))
  return all.sort((one, other) => one.compareBoundaryPoints(Range.START_TO_START, other))
}

export function paintHighlights(ranges: readonly Range[], current: Range | null): void {
  if (!('highlights' in CSS)) {
    return
  }
  CSS.highlights.set(HITS, new Highlight(...ranges))
  const now = new Highlight(...(current ? [current] : []))
  now.priority = 1
  CSS.highlights.set(CURRENT, now)
}

export function clearHighlights(): void {
  if ('highlights' in CSS) {
    CSS.highlights.delete(HITS)
    CSS.highlights.delete(CURRENT)
  }
}

/** Tell whether a place can be seen, or is folded away. */
export function isVisible(range: Range): boolean {
  const element = range.startContainer.parentElement
  return element !== null && element.checkVisibility()
}

/** Scroll a line that runs out of its box until a place in it is seen. */
export function scrollLineTo(range: Range): void {
  let around = range.startContainer.parentElement
  for (; around && !around.matches('.slot'); around = around.parentElement) {
    if (around.scrollWidth > around.clientWidth && /auto|scroll/.test(getComputedStyle(around).overflowX)) {
      const { left, width } = around.getBoundingClientRect()
      const words = range.getBoundingClientRect()
      if (words.left < left || words.right > left + width) {
        around.scrollLeft += words.left - left - width / 3
      }
      return
    }
  }
}

function textRuns(root: Element): TextRun[] {
  const runs: TextRun[] = []
  let block: Element | null = null
  let run: TextRun = { text: '', nodes: [] }
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node as Text
    const around = text.parentElement?.closest(BLOCKS) ?? root
    if (around !== block) {
      block = around
      run = { text: '', nodes: [] }
      runs.push(run)
    }
    run.nodes.push({ node: text, from: run.text.length })
    run.text += text.data
  }
  return runs
}

function rangeIn(run: TextRun, from: number, to: number): Range {
  const range = document.createRange()
  const first = run.nodes.findLast((place) => place.from <= from)
  const last = run.nodes.findLast((place) => place.from < to)
  if (first && last) {
    range.setStart(first.node, from - first.from)
    range.setEnd(last.node, to - last.from)
  }
  return range
}
