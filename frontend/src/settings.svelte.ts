/**
 * What was chosen: theme, density, text size, keys, panes.
 *
 * The browser remembers it, and several tabs share it: a change in one is seen in all. A browser
 * that refuses to keep anything keeps it until the page is closed. Theme, density and text size
 * belong to the settings of bough: the server keeps them too, and what it has wins.
 */
import { postJson } from './api'
import { setTimes } from './formats'
import { team } from './team.svelte'
import type { PageSettings, SettingsAnswer } from './wire'

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

export const SMALLEST_TEXT = 12
export const LARGEST_TEXT = 24
export const textSize = new Setting<number>(
  'text-size',
  15,
  Array.from({ length: LARGEST_TEXT - SMALLEST_TEXT + 1 }, (_, number) => SMALLEST_TEXT + number),
)

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
let weekStart = $state('monday')

/** Give the day weeks begin on; Monday is 0. */
export function firstWeekday(): number {
  return Math.max(0, WEEKDAYS.indexOf(weekStart))
}

let fixed = $state.raw<readonly string[]>([])

/** Tell whether `config.toml` sets something, so that it cannot be chosen here. */
export function isFixed(name: string): boolean {
  return fixed.includes(name)
}

/** Take over what the server keeps; what nobody has chosen stays as this browser has it. */
export function applyPageSettings(kept: PageSettings): void {
  fixed = kept.fixed
  setTimes(kept.zone, kept.clock === '12h')
  weekStart = kept.week_start
  if (kept.theme !== null) theme.value = kept.theme
  if (kept.density !== null) density.value = kept.density
  if (kept.text_size !== null) textSize.value = kept.text_size
}

/** Take over an answer of the page of settings: also what was taken back. */
export function applyAnswer(answer: SettingsAnswer): void {
  const find = (name: string) => answer.settings.find((one) => one.name === name)
  setTimes(find('zone')?.text ?? null, find('clock')?.text === '12h')
  weekStart = find('week_start')?.text ?? weekStart
}

/** Choose a theme here and for the next start, also of the terminal app. */
export function chooseTheme(value: Theme): void {
  theme.value = value
  void keepSetting('theme', value)
}

export function chooseDensity(value: Density): void {
  density.value = value
  void keepSetting('density', value)
}

/** Keep a choice on the server, if it is one's own. Where that fails the browser has it all the same. */
async function keepSetting(name: string, value: string | number): Promise<void> {
  if (team.isTeam) {
    return
  }
  try {
    await postJson<SettingsAnswer>('/api/settings', { name, value })
  } catch {
    // The band on top says that the server is gone; nothing else hangs on this.
  }
}

/** Put theme, density and text size on the page. Returns what ends it. */
export function applySettings(root: HTMLElement): () => void {
  return $effect.root(() => {
    $effect.pre(() => {
      root.dataset['theme'] = theme.value
      root.dataset['density'] = density.value
      if (textSize.value === 15) {
        root.style.removeProperty('--read-size')
        root.style.removeProperty('--read-line')
      } else {
        root.style.setProperty('--read-size', `${textSize.value}px`)
        root.style.setProperty('--read-line', `${Math.round(textSize.value * 1.6)}px`)
      }
    })
  })
}

/** Give what was kept under a name, as it was written. */
export function readKept(name: string): string | null {
  return read(`bough.${name}`)
}

/** Keep something under a name. */
export function writeKept(name: string, value: string): void {
  write(`bough.${name}`, value)
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
