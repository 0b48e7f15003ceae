/**
 * How high a piece may be before it is laid out.
 *
 * The server counts its lines at 90 characters; narrower columns break them more often. A wrong
 * guess costs nothing but a jump of the scroll bar, because the place is kept (view.ts).
 */

const LINE = 24
/** Frame, head, foot and distance to the next piece, by kind. */
const AROUND: Record<string, number> = {
  prompt: 58,
  command: 58,
  queued: 58,
  shell: 74,
  answer: 64,
  seam: 120,
  compaction: 120,
  twig: 46,
  note: 12,
  error: 58,
  bad_line: 58,
}

/** The height of a piece of a kind with so many lines in a column of a width. */
export function estimate(kind: string, lines: number, width: number): number {
  const narrow = Math.max(1, 640 / Math.max(240, Math.min(640, width)))
  const text = kind === 'seam' || kind === 'twig' ? 0 : lines * LINE * narrow
  return Math.round((AROUND[kind] ?? 40) + text)
}
