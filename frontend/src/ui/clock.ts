/** The time, for what ticks: once a second, or once in half a minute. */
import { readable } from 'svelte/store'

function ticking(milliseconds: number) {
  return readable(new Date(), (set) => {
    set(new Date())
    const timer = setInterval(() => set(new Date()), milliseconds)
    return () => clearInterval(timer)
  })
}

export const everySecond = ticking(1_000)
export const everyHalfMinute = ticking(30_000)

/** Count the seconds from a moment to now. */
export function secondsSince(at: string | null, now: Date): number | null {
  const time = at === null ? NaN : Date.parse(at)
  return Number.isNaN(time) ? null : Math.max(0, (now.getTime() - time) / 1_000)
}
