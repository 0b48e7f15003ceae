/** The tab: its title says what waits and what is read, its icon carries a square while one waits. */
import { live } from './live/live-sessions.svelte'

let name = $state('')

/** Name what is on the screen; the conversation names its session. */
export function setTitle(text: string): void {
  name = text
}

export function formatTitle(text: string, waits: number): string {
  return `${waits ? `(${waits}) ` : ''}${text ? `${text} · ` : ''}bough`
}

/** Keep the title of the tab and its icon current. Returns what ends it. */
export function start(): () => void {
  return $effect.root(() => {
    $effect(() => {
      const { waiting } = live.counts
      document.title = formatTitle(name, waiting)
      const icon = document.querySelector('link[rel="icon"]')
      const wanted = waiting ? '/icon-waits.svg' : '/icon.svg'
      if (icon && icon.getAttribute('href') !== wanted) {
        icon.setAttribute('href', wanted)
      }
    })
  })
}
