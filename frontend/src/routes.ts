/**
 * Where the reader is: the address, and nothing else.
 *
 * Every screen is named by its path and its filters by the query, so an address can be kept,
 * shared between tabs and gone back to. `goTo` adds one step to the history, `replaceAddress` changes the
 * present step: Back undoes exactly one `goTo`.
 */
import { readonly, writable } from 'svelte/store'

export type Screen = 'home' | 'sessions' | 'session' | 'search' | 'live' | 'missing'

export interface Route {
  readonly screen: Screen
  /** Path and query, as `goTo` takes them. */
  readonly path: string
  /** The session of a conversation; null on other screens. */
  readonly id: string | null
  readonly params: URLSearchParams
  /** Names this step of the history: what belongs to it is kept under it. */
  readonly step: string
}

export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>

const PLACES: Readonly<Record<string, Screen>> = {
  '/': 'home',
  '/sessions': 'sessions',
  '/search': 'search',
  '/live': 'live',
}

export function parseRoute(address: string, step = ''): Route {
  const url = new URL(address, 'http://page')
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/+$/, '') : url.pathname
  const conversation = /^\/s\/([^/]+)$/.exec(path)
  const id = conversation?.[1] === undefined ? null : decoded(conversation[1])
  return {
    screen: id === null ? (PLACES[path] ?? 'missing') : 'session',
    path: url.pathname + url.search,
    id,
    params: url.searchParams,
    step,
  }
}

/** Write an address; parameters without a value are left out. */
export function buildAddress(path: string, params: Params = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== '' && value !== false) {
      query.set(name, String(value))
    }
  }
  const text = query.toString()
  return text ? `${path}?${text}` : path
}

/** Give the address of a conversation, of a message in it, or of one of its agents. */
export function conversationAddress(id: string, params: Params = {}): string {
  return buildAddress(`/s/${encodeURIComponent(id)}`, params)
}

const current = writable<Route>(parseRoute('/'))
export const route = readonly(current)

/** Take one step to another place. */
export function goTo(path: string): void {
  if (path === location.pathname + location.search) {
    return
  }
  history.pushState({ step: fresh(), depth: depthOf(history.state) + 1 }, '', path)
  current.set(here())
}

/** Change the address without a step: a filter that is being typed, a message that is read. */
export function replaceAddress(path: string): void {
  if (path === location.pathname + location.search) {
    return
  }
  try {
    history.replaceState({ step: stepOf(history.state), depth: depthOf(history.state) }, '', path)
  } catch {
    // Safari allows a hundred changes in half a minute: the next one will say where we are.
    return
  }
  current.set(here())
}

/** Go back one step; the first one leads Home, not out of bough. */
export function goBack(): void {
  if (depthOf(history.state) > 0) {
    history.back()
  } else {
    goTo('/')
  }
}

/** Make links of this page steps, and the browser's buttons known. Returns what ends it. */
export function start(): () => void {
  if (!stepOf(history.state)) {
    history.replaceState({ step: fresh(), depth: 0 }, '', location.href)
  }
  history.scrollRestoration = 'manual'
  current.set(here())
  const moved = (): void => current.set(here())
  addEventListener('popstate', moved)
  document.addEventListener('click', followed)
  return () => {
    removeEventListener('popstate', moved)
    document.removeEventListener('click', followed)
  }
}

/** Let links be links: another tab, a download and foreign addresses stay the browser's. */
function followed(event: MouseEvent): void {
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!plain || event.defaultPrevented || !(link instanceof HTMLAnchorElement)) {
    return
  }
  const href = link.getAttribute('href') ?? ''
  if (link.target || link.hasAttribute('download') || !href.startsWith('/') || href.startsWith('/api/')) {
    return
  }
  event.preventDefault()
  goTo(href)
}

function here(): Route {
  return parseRoute(location.pathname + location.search, stepOf(history.state))
}

function stepOf(state: unknown): string {
  const known = typeof state === 'object' && state !== null && 'step' in state
  return known && typeof state.step === 'string' ? state.step : ''
}

/** Count the steps that were taken in this tab up to here. */
function depthOf(state: unknown): number {
  const known = typeof state === 'object' && state !== null && 'depth' in state
  return known && typeof state.depth === 'number' ? state.depth : 0
}

function fresh(): string {
  return `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
