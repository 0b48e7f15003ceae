/** Keys that work on every screen: the places, the search box, help and the palette. */
import { bind, type Run } from '../keys'
import { PLACES } from '../places'
import { go } from '../routes'

export function bindPlaces({ help, palette }: { help: Run; palette: Run }): () => void {
  const places = Object.fromEntries(PLACES.map((place) => [place.action, () => go(place.path)]))
  return bind('Everywhere', { ...places, search: toSearch, help, palette })
}

/** Put the cursor where a search is typed. */
export function toSearch(): void {
  const box = document.getElementById('search-words') ?? document.getElementById('search-everything')
  if (box instanceof HTMLInputElement && box.offsetParent !== null) {
    box.focus()
    box.select()
  } else {
    go('/search')
  }
}
