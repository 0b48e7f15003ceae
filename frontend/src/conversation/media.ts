/** Whether the window is as wide as a screen's layout asks, while it changes. */
import { readable, type Readable } from 'svelte/store'

export function media(query: string): Readable<boolean> {
  const list = matchMedia(query)
  return readable(list.matches, (set) => {
    const changed = (): void => set(list.matches)
    changed()
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  })
}
