/**
 * What this browser remembers of its reader: theme, density, size, keys, panes.
 *
 * Several tabs share it, and a change in one is seen in all. A browser that refuses to keep
 * anything keeps it until the page is closed.
 */
export type Theme = 'system' | 'light' | 'dark'
export type Density = 'comfortable' | 'compact'

/** What is kept where the browser keeps nothing. */
const memory = new Map<string, string>()

/** A value that is kept in the browser under a name; only values among `allowed` are believed. */
export class Setting<T extends string | number | boolean> {
  private current: T
  private readonly key: string

  constructor(
    name: string,
    private readonly initial: T,
    private readonly allowed?: readonly T[],
  ) {
    this.key = `bough.${name}`
    this.current = $state.raw(this.parse(read(this.key)))
    if ('addEventListener' in globalThis) {
      addEventListener('storage', (event: StorageEvent) => {
        if (event.key === this.key) {
          this.current = this.parse(event.newValue)
        }
      })
    }
  }

  get value(): T {
    return this.current
  }

  set value(value: T) {
    write(this.key, JSON.stringify(value))
    this.current = value
  }

  private parse(text: string | null): T {
    const value: unknown = text === null ? this.initial : decode(text)
    const fits = this.allowed ? this.allowed.includes(value as T) : typeof value === typeof this.initial
    return fits ? (value as T) : this.initial
  }
}

export const theme = new Setting<Theme>('theme', 'system', ['system', 'light', 'dark'])
export const density = new Setting<Density>('density', 'comfortable', ['comfortable', 'compact'])
/** Whether keys made of one character do anything. */
export const letterKeys = new Setting<boolean>('letters', true, [true, false])

/** Put theme and density on the page. Returns what ends it. */
export function applySettings(root: HTMLElement): () => void {
  return $effect.root(() => {
    $effect.pre(() => {
      root.dataset['theme'] = theme.value
      root.dataset['density'] = density.value
    })
  })
}

function decode(text: string): unknown {
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
