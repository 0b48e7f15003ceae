/**
 * Where rows stand: heights are measured or estimated, rows are placed by them, and the shift of
 * the viewport becomes a scroll position.
 */
import { estimateHeight, Heights } from './heights'
import { ListRows, moveRow, type PieceList, type Row, type RowContent } from './rows'
import { Viewport } from './viewport'

const PADDING = 120

/** The elements a list is drawn on: what scrolls, what is as high as everything, what holds the rows. */
export interface ListElements {
  readonly scroller: HTMLElement
  readonly layer: HTMLElement
  readonly strip: HTMLElement
}

export class ListLayout {
  readonly view = new Viewport(new Heights([]), PADDING, PADDING)
  readonly rows: ListRows
  private width: number

  constructor(
    private elements: ListElements,
    sizes: ResizeObserver,
    content: RowContent,
  ) {
    this.rows = new ListRows(elements.strip, sizes, content)
    this.width = elements.strip.clientWidth
    this.view.height = elements.scroller.clientHeight
  }

  /** Take other pieces; all heights are estimates again, except of rows that are there. */
  setPieces(pieces: PieceList): void {
    this.rows.replacePieces(pieces)
    this.view.heights = new Heights(pieces.keys.map((_, index) => this.estimate(index)))
    for (const row of this.rows.all()) {
      this.rows.update(row, this.view.heights.height(row.index))
    }
    this.measureAll()
  }

  /** Take other pieces from a number on; heights before it stay. */
  replacePiecesFrom(pieces: PieceList, from: number): void {
    this.rows.replacePieces(pieces, from)
    const estimates = pieces.keys.slice(from).map((_, place) => this.estimate(from + place))
    this.view.heights.replaceFrom(from, estimates)
    this.measureAll()
  }

  private estimate(index: number): number {
    const { kinds, lines } = this.rows.pieces
    return estimateHeight(kinds[index] ?? '', lines[index] ?? 1, this.width)
  }

  /** Whether the page has another size than the one that was measured in. */
  get isResized(): boolean {
    const { scroller, strip } = this.elements
    return strip.clientWidth !== this.width || scroller.clientHeight !== this.view.height
  }

  /** Take the size of the page, and measure everything that is drawn in it. */
  readSize(): void {
    const { scroller, strip } = this.elements
    if (strip.clientWidth !== this.width) {
      this.width = strip.clientWidth
      this.view.heights.forgetMeasured()
    }
    this.view.height = scroller.clientHeight
    this.measureAll()
  }

  /** Whether an element is a filled row of another height than the one that is known. */
  hasOtherHeight(element: Element): boolean {
    const row = element instanceof HTMLElement ? this.rows.get(element.dataset['piece']) : undefined
    return row !== undefined && row.html !== null && rowHeight(row) !== this.view.heights.height(row.index)
  }

  measureAll(): void {
    this.measure(this.rows.all())
  }

  measure(rows: readonly Row[]): void {
    for (const row of rows) {
      if (row.html !== null) {
        this.view.heights.measure(row.index, rowHeight(row))
      }
    }
  }

  placeRows(): void {
    const { view } = this
    const { layer, strip } = this.elements
    layer.style.setProperty('height', `${view.contentHeight}px`)
    strip.style.setProperty('transform', view.shift ? `translateY(${view.shift}px)` : 'none')
    for (const row of this.rows.all()) {
      moveRow(row, view.paddingTop + view.heights.offset(row.index))
    }
  }

  /** Turn the shift into a scroll position. */
  settle(): void {
    const { view } = this
    const { scroller } = this.elements
    const wanted = view.settle()
    this.placeRows()
    if (scroller.scrollTop !== wanted) {
      scroller.scrollTop = wanted
      const taken = scroller.scrollTop
      // Screens with broken pixel ratios round scroll positions; the rest stays a shift.
      view.shift = taken - wanted
      view.scrollTop = taken
      this.placeRows()
    }
  }
}

function rowHeight(row: Row): number {
  return Math.floor(row.element.getBoundingClientRect().height)
}
