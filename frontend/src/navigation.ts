/** The places of the bar, in their order; their keys are 1 to 5. */
import type { ActionName } from './keymap'
import type { Screen } from './routes.svelte'
import { isOffered } from './team.svelte'
import type { IconName } from './ui/icons'

export interface NavigationItem {
  readonly screen: Screen
  readonly path: string
  readonly label: string
  readonly icon: IconName
  readonly action: ActionName
}

export const NAVIGATION: readonly NavigationItem[] = [
  { screen: 'home', path: '/', label: 'Home', icon: 'home', action: 'home' },
  { screen: 'sessions', path: '/sessions', label: 'Sessions', icon: 'list', action: 'sessions' },
  { screen: 'search', path: '/search', label: 'Search', icon: 'search', action: 'searchScreen' },
  { screen: 'live', path: '/live', label: 'Live', icon: 'live', action: 'live' },
  { screen: 'usage', path: '/usage', label: 'Usage', icon: 'chart', action: 'usage' },
]

/** List the places that the history which is shown has. */
export function listNavigation(): NavigationItem[] {
  return NAVIGATION.filter((item) => isOffered(item.action))
}

/** Tell whether a place is the one that a screen belongs to: a conversation is one of the sessions. */
export function isCurrentItem(place: NavigationItem, screen: Screen): boolean {
  return (
    place.screen === screen ||
    (place.screen === 'sessions' && ['session', 'tree', 'compare'].includes(screen))
  )
}
