/** The life of one answer: asked, had, failed; asked again without losing what is shown. */
import { isAbort } from '../api'

export class Loadable<T> {
  value: T | null
  error = $state.raw<unknown>(null)
  isBusy = $state(false)
  private request: AbortController | null = null

  constructor(initial: T | null = null) {
    this.value = $state.raw(initial)
  }

  /** Ask; an older question that is not answered yet is dropped. */
  async load(ask: (signal: AbortSignal) => Promise<T>): Promise<void> {
    this.stop()
    const mine = new AbortController()
    this.request = mine
    this.isBusy = true
    try {
      const value = await ask(mine.signal)
      if (!mine.signal.aborted) {
        this.set(value)
      }
    } catch (error) {
      if (!isAbort(error) && !mine.signal.aborted) {
        this.error = error
        this.isBusy = false
      }
    }
  }

  set(value: T): void {
    this.value = value
    this.error = null
    this.isBusy = false
  }

  stop(): void {
    this.request?.abort()
    this.request = null
  }
}
