/** What a screen reader is told in passing: at most one sentence in five seconds, the newest. */
import { readonly, writable } from 'svelte/store'

const EVERY = 5_000
const sentence = writable('')
export const announced = readonly(sentence)

let last = -EVERY
let next: ReturnType<typeof setTimeout> | undefined

export function announce(text: string): void {
  clearTimeout(next)
  const wait = Math.max(0, last + EVERY - performance.now())
  next = setTimeout(() => {
    last = performance.now()
    sentence.set(text)
  }, wait)
}
