/** The tab: its title says what waits and what is read, its icon carries a square while one waits. */
import { derived, writable } from 'svelte/store'

import { liveCounts } from './live/live-sessions'

const name = writable('')

/** Name what is on the screen; the conversation names its session. */
export function setTitle(text: string): void {
  name.set(text)
}

export function formatTitle(text: string, waits: number): string {
  return `${waits ? `(${waits}) ` : ''}${text ? `${text} · ` : ''}bough`
}

export function start(): () => void {
  return derived([name, liveCounts], ([text, { waits }]) => ({ text, waits })).subscribe(
    ({ text, waits }) => {
      document.title = formatTitle(text, waits)
      const icon = document.querySelector('link[rel="icon"]')
      const wanted = waits ? '/icon-waits.svg' : '/icon.svg'
      if (icon && icon.getAttribute('href') !== wanted) {
        icon.setAttribute('href', wanted)
      }
    },
  )
}
