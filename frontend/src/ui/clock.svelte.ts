/** The time, for what shows how long something lasts: once a second, or once in half a minute. */
import { createSubscriber } from 'svelte/reactivity'

class Clock {
  private readonly subscribe: () => void

  constructor(milliseconds: number) {
    this.subscribe = createSubscriber((update) => {
      const timer = setInterval(update, milliseconds)
      return () => clearInterval(timer)
    })
  }

  get now(): Date {
    this.subscribe()
    return new Date()
  }
}

export const everySecond = new Clock(1_000)
export const everyHalfMinute = new Clock(30_000)

/** Count the seconds from a moment to now. */
export function secondsSince(at: string | null, now: Date): number | null {
  const time = at === null ? NaN : Date.parse(at)
  return Number.isNaN(time) ? null : Math.max(0, (now.getTime() - time) / 1_000)
}
