/**
 * Where the reader is: the address, and nothing else.
 *
 * Every screen is named by its path and its filters by the query, so an address can be kept,
 * shared between tabs and gone back to. `goTo` adds one step to the history, `replaceAddress` changes the
 * present step: Back undoes exactly one `goTo`.
 */
export type Screen =
  | 'home'
  | 'sessions'
  | 'session'
  | 'tree'
  | 'compare'
  | 'search'
  | 'live'
  | 'usage'
  | 'settings'
  | 'health'
  | 'history'
  | 'archive'
  | 'missing'

export interface Route {
  readonly screen: Screen
  /** Path and query, as `goTo` takes them. */
  readonly path: string
  /** The session of a conversation, its tree or a comparison; null on other screens. */
  readonly id: string | null
  readonly params: URLSearchParams
  /** Names this step of the history: what belongs to it is kept under it. */
  readonly step: string
}

export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>

const SCREENS: Readonly<Record<string, Screen>> = {
  '/': 'home',
  '/sessions': 'sessions',
  '/search': 'search',
  '/live': 'live',
  '/usage': 'usage',
  '/settings': 'settings',
  '/health': 'health',
  '/history': 'history',
  '/archive': 'archive',
}

export function parseRoute(address: string, step = ''): Route {
  const url = new URL(address, 'http://page')
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/+$/, '') : url.pathname
  const ofSession = /^\/s\/([^/]+)(?:\/(tree|compare))?$/.exec(path)
  const id = ofSession?.[1] === undefined ? null : decodeText(ofSession[1])
  const view = ofSession?.[2] as 'tree' | 'compare' | undefined
  return {
    screen: id === null ? (SCREENS[path] ?? 'missing') : (view ?? 'session'),
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

/** Give the address of the tree of a session, at a message of it. */
export function treeAddress(id: string, params: Params = {}): string {
  return buildAddress(`/s/${encodeURIComponent(id)}/tree`, params)
}

/** Give the address of two branches side by side; `other` is the session that B is of, where it is another. */
export function compareAddress(
  id: string,
  params: { readonly a: string | null; readonly b: string | null; readonly other?: string | null },
): string {
  return buildAddress(`/s/${encodeURIComponent(id)}/compare`, { ...params })
}

let current = $state.raw<Route>(parseRoute('/'))
const handlers = new Set<(route: Route) => void>()

/** The address as it is now. */
export const route = {
  get current(): Route {
    return current
  },
}

/** Be told of every change of the address; returns what ends it. */
export function onRoute(handler: (route: Route) => void): () => void {
  handlers.add(handler)
  return () => handlers.delete(handler)
}

/** The steps that lead here, by how many were taken before each. */
const trail: string[] = []

/** A step of this tab that can be gone back to. */
export interface PastStep {
  readonly depth: number
  readonly step: string
  readonly path: string
}

/** Give the present step, for somebody who will want to come back to it. */
export function presentStep(): PastStep {
  return {
    depth: depthOf(history.state),
    step: stepOf(history.state),
    path: location.pathname + location.search,
  }
}

/** Go back to a step as it was left; where it is not behind us any more, to its address. */
export function goBackTo(past: PastStep): void {
  const by = past.depth - depthOf(history.state)
  if (by < 0 && trail[past.depth] === past.step) {
    history.go(by)
  } else {
    goTo(past.path)
  }
}

function readAddress(): void {
  current = parseRoute(location.pathname + location.search, stepOf(history.state))
  trail[depthOf(history.state)] = stepOf(history.state)
  for (const handler of handlers) {
    handler(current)
  }
}

/** Take one step to another place. */
export function goTo(path: string): void {
  if (path === location.pathname + location.search) {
    return
  }
  history.pushState({ step: createStep(), depth: depthOf(history.state) + 1 }, '', path)
  readAddress()
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
  readAddress()
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
    history.replaceState({ step: createStep(), depth: 0 }, '', location.href)
  }
  history.scrollRestoration = 'manual'
  readAddress()
  addEventListener('popstate', readAddress)
  document.addEventListener('click', followLink)
  return () => {
    removeEventListener('popstate', readAddress)
    document.removeEventListener('click', followLink)
  }
}

/** Let links be links: another tab, a download and foreign addresses stay the browser's. */
function followLink(event: MouseEvent): void {
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!plain || event.defaultPrevented || !link) {
    return
  }
  // A mark of a chart is a link inside a picture: its target is no plain text there.
  const href = link.getAttribute('href') ?? ''
  if (
    link.hasAttribute('target') ||
    link.hasAttribute('download') ||
    !href.startsWith('/') ||
    href.startsWith('/api/')
  ) {
    return
  }
  event.preventDefault()
  goTo(href)
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

function createStep(): string {
  return `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
