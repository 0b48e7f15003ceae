/**
 * What a step of the history looked like when it was left: rows, selection, scroll place.
 *
 * Coming back shows the same rows at once and at the same height, without asking the server
 * first. Only a few steps are kept; an older one is simply loaded again.
 */
import { untrack } from 'svelte'

import { onRoute, route, type Route } from './routes.svelte'

const KEPT = 24
const steps = new Map<string, Map<string, unknown>>()

/** The present step; what is kept under it does not depend on the next one. */
function now(): Route {
  return untrack(() => route.current)
}

/** A value that belongs to a step of the history. */
export class StepValue<T> {
  constructor(private readonly name: string) {}

  /** Keep it under a step; the present one where none is named. */
  save(value: T, step = now().step): void {
    const values = steps.get(step) ?? new Map<string, unknown>()
    steps.delete(step)
    steps.set(step, values.set(this.name, value))
    const oldest = steps.keys().next()
    if (steps.size > KEPT && !oldest.done) {
      steps.delete(oldest.value)
    }
  }

  load(step = now().step): T | undefined {
    return steps.get(step)?.get(this.name) as T | undefined
  }
}

const scrollTop = new StepValue<number>('scroll')
const focusedRow = new StepValue<string>('row')

/** Keep and restore the scroll place of an element, for every step on the screen it belongs to. */
export function keepScroll(element: HTMLElement): () => void {
  const { screen } = now()
  let step = now().step
  let growing: ResizeObserver | null = null

  const settled = (): void => {
    growing?.disconnect()
    growing = null
  }
  const restore = (): void => {
    settled()
    const wanted = scrollTop.load(step) ?? 0
    element.scrollTop = wanted
    if (element.scrollTop >= wanted) {
      return
    }
    // Rows may come a moment later: the place is tried again while the content grows to it.
    growing = new ResizeObserver(() => {
      element.scrollTop = wanted
      if (element.scrollTop >= wanted) {
        settled()
      }
    })
    for (const child of element.children) {
      growing.observe(child)
    }
  }
  restore()
  const offRow = keepRow(element, step)
  const moved = (): void => scrollTop.save(element.scrollTop, step)
  const offRoute = onRoute((next) => {
    // Whoever leaves within a frame of scrolling was not told of it yet.
    if (next.step !== step && !growing) {
      moved()
    }
    if (next.screen === screen && next.step !== step) {
      step = next.step
      restore()
    }
  })
  element.addEventListener('scroll', moved, { passive: true })
  element.addEventListener('wheel', settled, { passive: true })
  element.addEventListener('touchmove', settled, { passive: true })
  return () => {
    settled()
    offRow()
    offRoute()
    element.removeEventListener('scroll', moved)
    element.removeEventListener('wheel', settled)
    element.removeEventListener('touchmove', settled)
  }
}

const ROW_COMES_WITHIN = 3_000

/** Keep which row had the focus, and give it back when the reader comes back. */
function keepRow(element: HTMLElement, step: string): () => void {
  const wanted = focusedRow.load(step)
  const seek = (): void => {
    const row = wanted ? element.querySelector<HTMLElement>(wanted) : null
    if (row && isNowhere()) {
      const target = row.matches('a') ? row : row.querySelector<HTMLElement>('a')
      target?.focus({ preventScroll: true })
    }
    if (row || !wanted || !isNowhere()) {
      coming.disconnect()
    }
  }
  const coming = new MutationObserver(seek)
  coming.observe(element, { childList: true, subtree: true })
  const late = setTimeout(() => coming.disconnect(), ROW_COMES_WITHIN)
  seek()
  const focused = (event: FocusEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
    const named = ['session', 'project', 'hit'].find((name) => row?.dataset[name] !== undefined)
    if (row && named) {
      focusedRow.save(`[data-${named}="${CSS.escape(row.dataset[named] ?? '')}"]`)
    }
  }
  element.addEventListener('focusin', focused)
  return () => {
    clearTimeout(late)
    coming.disconnect()
    element.removeEventListener('focusin', focused)
  }
}

/** Tell whether nothing in particular has the focus. */
function isNowhere(): boolean {
  return (
    document.activeElement === null ||
    document.activeElement === document.body ||
    document.activeElement.id === 'main'
  )
}
