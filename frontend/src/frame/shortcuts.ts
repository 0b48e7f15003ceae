/** Keys that work on every screen: the places, the search box, help and the palette. */
import { bindActions, type Run } from '../keys.svelte'
import { NAVIGATION } from '../navigation'
import { goTo } from '../routes.svelte'
import { openUndo } from '../travel/travel.svelte'

export function bindShortcuts({ help, palette }: { help: Run; palette: Run }): () => void {
  const places = Object.fromEntries(NAVIGATION.map((item) => [item.action, () => goTo(item.path)]))
  return bindActions('Everywhere', {
    ...places,
    settings: () => goTo('/settings'),
    archive: () => goTo('/archive'),
    undo: () => openUndo(),
    health: { run: () => goTo('/health'), label: 'Health of all sessions' },
    search: focusSearch,
    help,
    palette,
  })
}

/** Put the cursor where a search is typed. */
export function focusSearch(): void {
  const box = document.getElementById('search-words') ?? document.getElementById('search-everything')
  if (box instanceof HTMLInputElement && box.offsetParent !== null) {
    box.focus()
    box.select()
  } else {
    goTo('/search')
  }
}
