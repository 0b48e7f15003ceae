/**
 * What this browser remembers of its reader: theme, density, size, keys, panes.
 *
 * Several tabs share it, and a change in one is seen in all. A browser that refuses to keep
 * anything keeps it until the page is closed.
 */
import { writable, type Writable } from 'svelte/store'

export type Theme = 'system' | 'light' | 'dark'
export type Density = 'comfortable' | 'compact'

/** What is kept where the browser keeps nothing. */
const memory = new Map<string, string>()

export const theme = kept<Theme>('theme', 'system', ['system', 'light', 'dark'])
export const density = kept<Density>('density', 'comfortable', ['comfortable', 'compact'])
/** Whether keys made of one character do anything. */
export const letters = kept<boolean>('letters', true, [true, false])

/** Keep a value in the browser under a name; only values among `allowed` are believed. */
export function kept<T extends string | number | boolean>(
  name: string,
  initial: T,
  allowed?: readonly T[],
): Writable<T> {
  const key = `bough.${name}`
  const believed = (text: string | null): T => {
    const value: unknown = text === null ? initial : decoded(text)
    const fits = allowed ? allowed.includes(value as T) : typeof value === typeof initial
    return fits ? (value as T) : initial
  }
  const store = writable<T>(believed(read(key)))
  const changed = (event: StorageEvent): void => {
    if (event.key === key) {
      store.set(believed(event.newValue))
    }
  }
  if ('addEventListener' in globalThis) {
    addEventListener('storage', changed)
  }
  const set = (value: T): void => {
    write(key, JSON.stringify(value))
    store.set(value)
  }
  return {
    subscribe: store.subscribe,
    set,
    update: (change) => set(change(believed(read(key)))),
  }
}

/** Put theme and density on the page. Returns what ends it. */
export function dress(root: HTMLElement): () => void {
  const offTheme = theme.subscribe((value) => (root.dataset['theme'] = value))
  const offDensity = density.subscribe((value) => (root.dataset['density'] = value))
  return () => {
    offTheme()
    offDensity()
  }
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

function write(key: string, value: string): void {
  memory.set(key, value)
  try {
    localStorage.setItem(key, value)
  } catch {
    // Private windows may refuse; the value then lasts as long as the page.
  }
}
