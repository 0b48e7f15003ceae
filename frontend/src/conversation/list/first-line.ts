/**
 * The first visible line of text, by the very character it begins with.
 *
 * A piece may be many screens high, and may grow above what is read in it (a picture arrives, a
 * fold opens, the column gets narrower). The piece's top says nothing then; the character does.
 */
export interface TextLine {
  readonly row: HTMLElement
  readonly node: Text
  readonly offset: number
  /** How far below the top of its row the line is. */
  top: number
}

/** Distances below the head at which text is looked for. */
const PROBES = [3, 14, 28, 44, 64, 90, 130, 180, 250]
const ENOUGH = 4

/**
 * Find the first lines that are seen below `headHeight`. The first is the one to keep; the others are
 * for when it is folded away or replaced.
 */
export function findFirstLines(scroller: HTMLElement, strip: HTMLElement, headHeight: number): TextLine[] {
  const seen = scroller.getBoundingClientRect()
  const column = strip.getBoundingClientRect()
  const lines: TextLine[] = []
  for (const probe of PROBES) {
    const caret = caretAt(column.left + 64, seen.top + headHeight + probe)
    const row = caret && rowAround(caret.node, strip)
    // Boxes without words (pictures, what is being loaded) may become any height: no line to keep in them.
    if (!row || !(caret.node instanceof Text) || lines.some((line) => line.node === caret.node)) {
      continue
    }
    const top = topInRow(caret.node, caret.offset, row)
    if (top !== null) {
      lines.push({ row, node: caret.node, offset: caret.offset, top })
    }
    if (lines.length === ENOUGH) {
      break
    }
  }
  return lines
}

/** By how much a line moved inside its row; null where it is gone. */
export function distanceMoved(line: TextLine): number | null {
  if (!line.node.isConnected || !line.row.contains(line.node)) {
    return null
  }
  const top = topInRow(line.node, line.offset, line.row)
  return top === null ? null : top - line.top
}

/** Take lines as they are now; those that are gone are left out. */
export function updateLines(lines: readonly TextLine[]): TextLine[] {
  return lines.filter((line) => {
    const by = distanceMoved(line)
    line.top += by ?? 0
    return by !== null
  })
}

/**
 * By how much the nearest thing around a line that is still seen is off the line's place: where
 * a fold was closed over the line, its top takes the place.
 */
export function distanceToFold(line: TextLine): number | null {
  for (let at = line.node.parentElement; at && at !== line.row; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement && at.isConnected && at.checkVisibility()) {
      return at.getBoundingClientRect().top - line.row.getBoundingClientRect().top - line.top
    }
  }
  return null
}

function rowAround(node: Node, strip: HTMLElement): HTMLElement | null {
  const element = node instanceof Element ? node : node.parentElement
  const row = element?.closest('.slot')
  return row instanceof HTMLElement && strip.contains(row) ? row : null
}

function topInRow(text: Text, offset: number, row: HTMLElement): number | null {
  if (!text.parentElement?.checkVisibility()) {
    return null
  }
  const box = characterBox(text, offset)
  return box ? box.top - row.getBoundingClientRect().top : null
}

function characterBox(text: Text, offset: number): DOMRect | undefined {
  const range = document.createRange()
  const from = Math.max(0, Math.min(offset, text.length - 1))
  range.setStart(text, from)
  range.setEnd(text, Math.min(text.length, from + 1))
  return range.getClientRects()[0]
}

function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  if ('caretPositionFromPoint' in document) {
    const found = document.caretPositionFromPoint(x, y)
    return found && { node: found.offsetNode, offset: found.offset }
  }
  // Safari before 18.4 and older Chromium know only the other name.
  const older = document as unknown as { caretRangeFromPoint?: (x: number, y: number) => Range | null }
  const range = older.caretRangeFromPoint?.(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : null
}
