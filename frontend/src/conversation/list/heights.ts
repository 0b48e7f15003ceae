/**
 * Heights of all pieces of a conversation, measured or estimated, and where each begins.
 *
 * A piece's height is known only once the browser has laid it out, and a conversation may have
 * twenty thousand of them, so sums are kept in a Fenwick tree: asking where a piece begins, which
 * piece is at a place, and learning a height are all logarithmic. Heights are whole pixels, so
 * that nothing is lost in rounding when they are added in another order.
 */
const LINE = 24
/** Frame, head, foot and distance to the next piece, by kind. */
const AROUND: Readonly<Record<string, number>> = {
  prompt: 58,
  command: 58,
  queued: 58,
  shell: 74,
  answer: 64,
  compaction: 120,
  'side-branch': 46,
  note: 12,
  error: 58,
  bad_line: 58,
}

/**
 * Estimate the height of a piece before it is laid out.
 *
 * The server counts its lines at 90 characters; narrower columns break them more often. A wrong
 * estimate costs nothing but a jump of the scroll bar, because the place is kept (viewport.ts).
 */
export function estimateHeight(kind: string, lines: number, width: number): number {
  const narrow = Math.max(1, 640 / Math.max(240, Math.min(640, width)))
  const text = kind === 'compaction' || kind === 'side-branch' ? 0 : lines * LINE * narrow
  return Math.round((AROUND[kind] ?? 40) + text)
}

export class Heights {
  private heights: Int32Array
  private known: Uint8Array
  private sums: Float64Array
  private length: number

  constructor(estimates: readonly number[]) {
    this.length = estimates.length
    this.heights = Int32Array.from(estimates, roundHeight)
    this.known = new Uint8Array(this.length)
    this.sums = fenwickSums(this.heights, this.length)
  }

  get count(): number {
    return this.length
  }

  get total(): number {
    return this.offset(this.length)
  }

  height(index: number): number {
    return this.heights[index] ?? 0
  }

  isMeasured(index: number): boolean {
    return this.known[index] === 1
  }

  /** Where a piece begins; for the count, where the last one ends. */
  offset(index: number): number {
    let sum = 0
    for (let at = Math.min(index, this.length); at > 0; at -= at & -at) sum += this.sums[at] ?? 0
    return sum
  }

  /** The piece that covers a place; before the first it is the first, after the last the last. */
  indexAt(y: number): number {
    let index = 0
    let left = y
    for (let step = highestBit(this.length); step > 0; step >>= 1) {
      const next = index + step
      const sum = next <= this.length ? (this.sums[next] ?? 0) : Infinity
      if (sum <= left) {
        index = next
        left -= sum
      }
    }
    return Math.max(0, Math.min(index, this.length - 1))
  }

  /** Take a height as measured; tells by how much the piece grew. */
  measure(index: number, height: number): number {
    if (index < 0 || index >= this.length) return 0
    this.known[index] = 1
    return this.setHeight(index, roundHeight(height))
  }

  /** Take a better estimate for a piece that is not measured. */
  estimate(index: number, height: number): number {
    if (index < 0 || index >= this.length || this.known[index] === 1) return 0
    return this.setHeight(index, roundHeight(height))
  }

  /** Forget that heights were measured (the width is another); they stay as estimates. */
  forgetMeasured(): void {
    this.known.fill(0)
  }

  /** Let other pieces follow from `from` on; what is before keeps its heights. */
  replaceFrom(from: number, estimates: readonly number[]): void {
    const length = from + estimates.length
    const heights = new Int32Array(length)
    const known = new Uint8Array(length)
    heights.set(this.heights.subarray(0, from))
    known.set(this.known.subarray(0, from))
    estimates.forEach((estimate, place) => (heights[from + place] = roundHeight(estimate)))
    this.heights = heights
    this.known = known
    this.length = length
    this.sums = fenwickSums(heights, length)
  }

  private setHeight(index: number, height: number): number {
    const change = height - this.height(index)
    if (change === 0) return 0
    this.heights[index] = height
    for (let at = index + 1; at <= this.length; at += at & -at) {
      this.sums[at] = (this.sums[at] ?? 0) + change
    }
    return change
  }
}

function roundHeight(height: number): number {
  return Math.max(0, Math.round(height))
}

function fenwickSums(heights: Int32Array, length: number): Float64Array {
  const sums = new Float64Array(length + 1)
  for (let index = 1; index <= length; index++) {
    sums[index] = (sums[index] ?? 0) + (heights[index - 1] ?? 0)
    const parent = index + (index & -index)
    if (parent <= length) sums[parent] = (sums[parent] ?? 0) + (sums[index] ?? 0)
  }
  return sums
}

function highestBit(length: number): number {
  let bit = 1
  while (bit * 2 <= length) bit *= 2
  return length > 0 ? bit : 0
}
