/**
 * The boxes of the virtual list: one per piece, filled, waiting or failed.
 */
import { morph } from './morph'

export interface Slot {
  readonly key: string
  index: number
  readonly element: HTMLElement
  html: string | null
  y: number
}

/** Make a box for a piece. */
export function slotFor(key: string, index: number): Slot {
  const element = document.createElement('div')
  element.className = 'slot'
  element.dataset['piece'] = key
  return { key, index, element, html: null, y: Number.NaN }
}

/** Put a piece's HTML in; what is the same as before stays the same element. */
export function fill(slot: Slot, html: string): void {
  const first = slot.html === null
  slot.html = html
  slot.element.classList.remove('waiting', 'unread')
  const wanted = document.createElement('template')
  wanted.innerHTML = html
  if (first) {
    slot.element.replaceChildren(wanted.content)
    slot.element.style.removeProperty('height')
  } else {
    morph(slot.element, wanted.content)
  }
}

/** Show the shape of a piece that is on its way, at the height it may have. */
export function wait(slot: Slot, height: number): void {
  slot.element.classList.add('waiting')
  slot.element.setAttribute('aria-hidden', 'true')
  slot.element.style.setProperty('height', `${height}px`)
  if (!slot.element.firstChild) {
    for (let bars = 0; bars < Math.max(1, Math.min(6, Math.floor(height / 48))); bars++) {
      const bar = document.createElement('div')
      bar.className = 'bar'
      slot.element.append(bar)
    }
  }
}

/** Say that a piece could not be had, with a way to ask again. */
export function fail(slot: Slot): void {
  if (slot.element.classList.contains('unread')) {
    return
  }
  slot.element.classList.add('unread')
  slot.element.removeAttribute('aria-hidden')
  const told = document.createElement('p')
  told.textContent = 'This part could not be read. '
  const again = document.createElement('button')
  again.type = 'button'
  again.dataset['do'] = 'again'
  again.textContent = 'Try again'
  told.append(again)
  slot.element.replaceChildren(told)
}

/** Put a box where it belongs. */
export function put(slot: Slot, y: number): void {
  if (slot.y !== y) {
    slot.y = y
    slot.element.style.setProperty('transform', `translateY(${y}px)`)
  }
}

/** The boxes somebody is in: what has the focus or is being selected is not taken away. */
export function boxesInUse(): ReadonlySet<Element | null> {
  const selected = document.getSelection()
  const from = selected && !selected.isCollapsed ? selected.anchorNode : null
  const around = from instanceof Element ? from : from?.parentElement
  return new Set([document.activeElement?.closest('.slot') ?? null, around?.closest('.slot') ?? null])
}

const FRESH_FOR = 1_500

/** Let what is new hold a green edge for a moment. */
export function edge(element: HTMLElement | null | undefined): void {
  element?.classList.add('fresh')
  setTimeout(() => element?.classList.remove('fresh'), FRESH_FOR)
}
