/** The life of one answer: asked, had, failed; asked again without losing what is shown. */
import { readonly, writable, type Readable } from 'svelte/store'

import { isAbort } from '../api'

export interface Loaded<T> {
  readonly value: T | null
  readonly error: unknown
  readonly busy: boolean
}

export interface Loading<T> extends Readable<Loaded<T>> {
  /** Ask; an older question that is not answered yet is dropped. */
  readonly load: (ask: (signal: AbortSignal) => Promise<T>) => Promise<void>
  readonly set: (value: T) => void
  readonly stop: () => void
}

export function loading<T>(initial: T | null = null): Loading<T> {
  const state = writable<Loaded<T>>({ value: initial, error: null, busy: false })
  let asking: AbortController | null = null
  const stop = (): void => {
    asking?.abort()
    asking = null
  }
  return {
    subscribe: readonly(state).subscribe,
    stop,
    set: (value) => state.set({ value, error: null, busy: false }),
    load: async (ask) => {
      stop()
      const mine = new AbortController()
      asking = mine
      state.update((now) => ({ ...now, busy: true }))
      try {
        const value = await ask(mine.signal)
        if (!mine.signal.aborted) {
          state.set({ value, error: null, busy: false })
        }
      } catch (error) {
        if (!isAbort(error) && !mine.signal.aborted) {
          state.update((now) => ({ ...now, error, busy: false }))
        }
      }
    },
  }
}
