/**
 * The rows that exist in the page: made when a piece comes near, filled when its HTML is here,
 * taken away when it is far. Where they stand is the list's business.
 */
import { morph } from '../../lib/morph'

/** The element of one piece. */
export interface Row {
  readonly key: string
  index: number
  readonly element: HTMLElement
  /** What it is filled with; null while it waits or has failed. */
  html: string | null
  y: number
}

/** What is shown, by piece number. */
export interface PieceList {
  readonly keys: readonly string[]
  readonly kinds: readonly string[]
  readonly lines: readonly number[]
}

export interface RowContent {
  html(key: string): string | undefined
  isFailed(number: number): boolean
  /** A row was filled: folds and highlights are put back. */
  onFilled(element: HTMLElement, key: string): void
}

const MARKED_FOR = 1_500

export class ListRows {
  pieces: PieceList = { keys: [], kinds: [], lines: [] }
  private rows = new Map<string, Row>()

  constructor(
    private strip: HTMLElement,
    private sizes: ResizeObserver,
    private content: RowContent,
  ) {}

  get(key: string | undefined): Row | undefined {
    return key === undefined ? undefined : this.rows.get(key)
  }

  /** The row of a piece by its number. */
  at(number: number): Row | undefined {
    return this.get(this.pieces.keys[number])
  }

  all(): Row[] {
    return [...this.rows.values()]
  }

  /** The elements of all rows, from the top. */
  elementsInOrder(): HTMLElement[] {
    return this.all()
      .sort((one, other) => one.index - other.index)
      .map((row) => row.element)
  }

  /** Something inside the rows. */
  find(selector: string): Element | null {
    return this.strip.querySelector(selector)
  }

  /** Take other pieces from a number on; rows of pieces that are not among them go. */
  replacePieces(pieces: PieceList, from = 0): void {
    this.pieces = pieces
    const numbers = new Map(pieces.keys.slice(from).map((key, place) => [key, from + place]))
    for (const row of this.all().filter((one) => one.index >= from)) {
      row.index = numbers.get(row.key) ?? -1
      if (row.index < 0) {
        this.remove(row)
      }
    }
  }

  /** Make the rows of a range that are missing, and return them. */
  addMissing(from: number, to: number, heightOf: (number: number) => number): Row[] {
    const added: Row[] = []
    for (let index = from; index < to; index++) {
      const key = this.pieces.keys[index]
      if (key === undefined || this.rows.has(key)) {
        continue
      }
      const row = createRow(key, index)
      this.update(row, heightOf(index))
      // Reading aloud, Tab and selections follow the order in the page, so it is that of the pieces.
      this.strip.insertBefore(row.element, this.nextRow(index)?.element ?? null)
      this.rows.set(key, row)
      added.push(row)
    }
    for (const row of added) {
      this.sizes.observe(row.element)
    }
    return added
  }

  /** The nearest row behind a number. */
  private nextRow(number: number): Row | undefined {
    let found: Row | undefined
    for (const row of this.rows.values()) {
      if (row.index > number && row.index < (found?.index ?? Infinity)) {
        found = row
      }
    }
    return found
  }

  /** Put into a row what there is of its piece. */
  update(row: Row, height: number): void {
    const html = this.content.html(row.key)
    if (html !== undefined) {
      if (html !== row.html) {
        row.element.removeAttribute('aria-hidden')
        fillRow(row, html)
        this.content.onFilled(row.element, row.key)
      }
    } else if (row.html === null && this.content.isFailed(row.index)) {
      showFailure(row)
    } else if (row.html === null) {
      showPlaceholder(row, height)
    }
  }

  /** Take away rows outside a range, except one somebody is in. */
  removeOutside(from: number, to: number): void {
    const far = this.all().filter((row) => row.index < from || row.index >= to)
    const used = far.length ? elementsInUse() : new Set()
    for (const row of far) {
      if (!used.has(row.element)) {
        this.remove(row)
      }
    }
  }

  private remove(row: Row): void {
    this.sizes.unobserve(row.element)
    row.element.remove()
    this.rows.delete(row.key)
  }
}

function createRow(key: string, index: number): Row {
  const element = document.createElement('div')
  element.className = 'slot'
  element.dataset['piece'] = key
  return { key, index, element, html: null, y: Number.NaN }
}

/** Put a piece's HTML in; what is the same as before stays the same element. */
function fillRow(row: Row, html: string): void {
  const isFirst = row.html === null
  row.html = html
  row.element.classList.remove('waiting', 'unread')
  const wanted = document.createElement('template')
  wanted.innerHTML = html
  if (isFirst) {
    row.element.replaceChildren(wanted.content)
    row.element.style.removeProperty('height')
  } else {
    morph(row.element, wanted.content)
  }
}

/** Show the shape of a piece that is on its way, at the height it may have. */
function showPlaceholder(row: Row, height: number): void {
  row.element.classList.add('waiting')
  row.element.setAttribute('aria-hidden', 'true')
  row.element.style.setProperty('height', `${height}px`)
  if (!row.element.firstChild) {
    for (let bars = 0; bars < Math.max(1, Math.min(6, Math.floor(height / 48))); bars++) {
      const bar = document.createElement('div')
      bar.className = 'bar'
      row.element.append(bar)
    }
  }
}

/** Say that a piece could not be had, with a button to ask again. */
function showFailure(row: Row): void {
  if (row.element.classList.contains('unread')) {
    return
  }
  row.element.classList.add('unread')
  row.element.removeAttribute('aria-hidden')
  const sentence = document.createElement('p')
  sentence.textContent = 'This part could not be read. '
  const again = document.createElement('button')
  again.type = 'button'
  again.dataset['do'] = 'again'
  again.textContent = 'Try again'
  sentence.append(again)
  row.element.replaceChildren(sentence)
}

/** Put a row where it belongs. */
export function moveRow(row: Row, y: number): void {
  if (row.y !== y) {
    row.y = y
    row.element.style.setProperty('transform', `translateY(${y}px)`)
  }
}

/** The rows somebody is in: what has the focus or is being selected is not taken away. */
function elementsInUse(): ReadonlySet<Element | null> {
  const selected = document.getSelection()
  const from = selected && !selected.isCollapsed ? selected.anchorNode : null
  const around = from instanceof Element ? from : from?.parentElement
  return new Set([document.activeElement?.closest('.slot') ?? null, around?.closest('.slot') ?? null])
}

/** Mark what is new with a green edge for a moment. */
export function markNewRow(element: HTMLElement | null | undefined): void {
  element?.classList.add('fresh')
  setTimeout(() => element?.classList.remove('fresh'), MARKED_FOR)
}
