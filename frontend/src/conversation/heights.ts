/**
 * Heights of all pieces of a conversation, measured or estimated, and where each begins.
 *
 * A piece's height is known only once the browser has laid it out, and a conversation may have
 * twenty thousand of them, so sums are kept in a Fenwick tree: asking where a piece begins, which
 * piece is at a place, and learning a height are all logarithmic. Heights are whole pixels, so
 * that nothing is lost in rounding when they are added in another order.
 */
export class Heights {
  private heights: Int32Array
  private known: Uint8Array
  private sums: Float64Array
  private length: number

  constructor(estimates: readonly number[]) {
    this.length = estimates.length
    this.heights = Int32Array.from(estimates, whole)
    this.known = new Uint8Array(this.length)
    this.sums = summed(this.heights, this.length)
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
  at(y: number): number {
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
    return this.put(index, whole(height))
  }

  /** Take a better guess for a piece that is not measured. */
  guess(index: number, height: number): number {
    if (index < 0 || index >= this.length || this.known[index] === 1) return 0
    return this.put(index, whole(height))
  }

  /** Forget that heights were measured (the width is another); they stay as guesses. */
  doubt(): void {
    this.known.fill(0)
  }

  /** Let other pieces follow from `from` on; what is before keeps its heights. */
  follow(from: number, estimates: readonly number[]): void {
    const length = from + estimates.length
    const heights = new Int32Array(length)
    const known = new Uint8Array(length)
    heights.set(this.heights.subarray(0, from))
    known.set(this.known.subarray(0, from))
    estimates.forEach((estimate, place) => (heights[from + place] = whole(estimate)))
    this.heights = heights
    this.known = known
    this.length = length
    this.sums = summed(heights, length)
  }

  private put(index: number, height: number): number {
    const change = height - this.height(index)
    if (change === 0) return 0
    this.heights[index] = height
    for (let at = index + 1; at <= this.length; at += at & -at) {
      this.sums[at] = (this.sums[at] ?? 0) + change
    }
    return change
  }
}

function whole(height: number): number {
  return Math.max(0, Math.round(height))
}

function summed(heights: Int32Array, length: number): Float64Array {
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
