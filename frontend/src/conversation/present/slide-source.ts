/**
 * The slides of a conversation: listed at once, rendered a few at a time, before they are needed.
 */
import type { SlideTable } from '@look/presentation.js'

import { ApiError, describeError } from '../../api'
import type { PresentationAnswer } from '../../wire'
import { fetchSlideBody, fetchSlides, type ConversationRef } from '../data/requests'
import { Folds } from '../list/folds'

/** So many are fetched ahead of the one that is looked at, and behind it. */
const AHEAD = 16
const BEHIND = 8
const AT_ONCE = 40

export interface SlideSourceEvents {
  /** Slides came in. */
  onArrived(): void
  /** The server knows nothing of these slides any more. */
  onStale(): void
  onFailed(sentence: string): void
}

export class SlideSource {
  readonly table: SlideTable
  readonly folds: Folds
  private readonly rendered = new Map<number, string>()
  private wanted = { from: 0, to: 0 }
  private isFetching = false

  constructor(
    private readonly ref: ConversationRef,
    private readonly answer: PresentationAnswer,
    private readonly events: SlideSourceEvents,
  ) {
    const { kinds, turn_numbers: turns, message_keys: messages, names } = answer
    this.table = { kinds, turns, messages, names }
    this.keep(answer.page.from, answer.page.slides)
    this.folds = new Folds({
      fetchBody: (key) => fetchSlideBody(ref, answer, key),
      changeContent: (change) => change(),
      describeError,
      onLoaded: () => undefined,
    })
  }

  /** Give a slide as an element; null while it is not here. */
  draw(number: number): HTMLElement | null {
    const html = this.rendered.get(number)
    if (html === undefined) {
      return null
    }
    const made = document.createElement('template')
    made.innerHTML = html
    this.folds.apply(made.content)
    return made.content.firstElementChild as HTMLElement | null
  }

  /** Let everything that one key could ask for be here. */
  need(number: number): void {
    const { turns } = this.table
    const first = turns.indexOf(turns[number] ?? 0)
    this.wanted = {
      from: Math.max(0, Math.min(first, number - BEHIND)),
      to: Math.min(turns.length, number + AHEAD),
    }
    void this.fetchMissing()
  }

  /** Put further pieces of an agent into the place of the button that stands for them. */
  async loadMore(button: HTMLButtonElement): Promise<void> {
    const key = button.dataset['body']
    if (!key) {
      return
    }
    button.disabled = true
    try {
      const made = document.createElement('template')
      made.innerHTML = await fetchSlideBody(this.ref, this.answer, key)
      this.folds.apply(made.content)
      button.replaceWith(made.content)
    } catch (error) {
      button.disabled = false
      this.events.onFailed(describeError(error))
    }
  }

  private async fetchMissing(): Promise<void> {
    if (this.isFetching) {
      return
    }
    this.isFetching = true
    try {
      for (let from = this.firstMissing(); from >= 0; from = this.firstMissing()) {
        const count = Math.min(AT_ONCE, this.wanted.to - from)
        const { slides } = await fetchSlides(this.ref, this.answer, from, count)
        if (!slides.length) {
          return
        }
        this.keep(from, slides)
        this.events.onArrived()
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) {
        this.events.onStale()
      } else {
        this.events.onFailed(describeError(error))
      }
    } finally {
      this.isFetching = false
    }
  }

  private firstMissing(): number {
    for (let number = this.wanted.from; number < this.wanted.to; number++) {
      if (!this.rendered.has(number)) {
        return number
      }
    }
    return -1
  }

  private keep(from: number, slides: readonly string[]): void {
    slides.forEach((html, place) => this.rendered.set(from + place, html))
  }
}
