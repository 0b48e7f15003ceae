/** What a screen reader is told in passing: at most one sentence in five seconds, the newest. */
const EVERY = 5_000
let sentence = $state('')
let last = -EVERY
let next: ReturnType<typeof setTimeout> | undefined

export const announcement = {
  get text(): string {
    return sentence
  },
}

export function announce(text: string): void {
  clearTimeout(next)
  const wait = Math.max(0, last + EVERY - performance.now())
  next = setTimeout(() => {
    last = performance.now()
    sentence = text
  }, wait)
}
