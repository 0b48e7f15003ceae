import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { KEYMAP, ACTION_NAMES, formatKey } from './keymap'
import { bindActions, listBoundActions, prefixHint, runAction, start } from './keys.svelte'
import { letterKeys } from './settings.svelte'

class Keyboard {
  private listener: ((event: KeyboardEvent) => void) | null = null
  readonly prevented: string[] = []

  addEventListener(_: string, listener: (event: KeyboardEvent) => void): void {
    this.listener = listener
  }

  removeEventListener(): void {
    this.listener = null
  }

  press(key: string, extra: Partial<KeyboardEvent> = {}): void {
    const event = { key, target: null, preventDefault: () => this.prevented.push(key), ...extra }
    this.listener?.(event as unknown as KeyboardEvent)
  }
}

let keyboard: Keyboard
let done: string[]
let offs: (() => void)[]

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('HTMLElement', class {})
  vi.stubGlobal('HTMLInputElement', class {})
  vi.stubGlobal('Element', class {})
  keyboard = new Keyboard()
  done = []
  offs = [start(keyboard as unknown as Document)]
  letterKeys.value = true
})

afterEach(() => {
  offs.forEach((off) => off())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const does = (name: string) => () => void done.push(name)

describe('the key map', () => {
  test('gives no key to two actions', () => {
    const keys = ACTION_NAMES.flatMap((name) => [...KEYMAP[name].keys])
    expect(keys).toEqual([...new Set(keys)])
  })

  test('has no key that is also the beginning of two keys', () => {
    const keys = ACTION_NAMES.flatMap((name): string[] => [...KEYMAP[name].keys])
    const prefixes = keys.filter((key) => key.includes(' ')).map((key) => key.split(' ')[0])
    expect(keys.filter((key) => prefixes.includes(key))).toEqual([])
  })

  test.each([
    ['ArrowDown', '↓'],
    ['g h', 'g h'],
    ['Ctrl+k', 'Ctrl K'],
    ['Escape', 'Esc'],
  ])('writes %s as %s', (key, text) => expect(formatKey(key)).toBe(text))
})

describe('a key', () => {
  test('does what the nearest scope bound it to', () => {
    offs.push(
      bindActions('Everywhere', { next: does('outer') }),
      bindActions('Home', { next: does('inner') }),
    )
    keyboard.press('j')
    keyboard.press('ArrowDown')
    expect(done).toEqual(['inner', 'inner'])
  })

  test('goes on to the next scope where there was nothing to do', () => {
    offs.push(
      bindActions('Everywhere', { close: does('outer') }),
      bindActions('Home', { close: () => false }),
    )
    keyboard.press('Escape')
    expect(done).toEqual(['outer'])
  })

  test('does not reach what lies beneath a dialog', () => {
    offs.push(
      bindActions('Home', { next: does('beneath') }),
      bindActions('Keys', { close: does('dialog') }, { alone: true }),
    )
    keyboard.press('j')
    keyboard.press('Escape')
    expect(done).toEqual(['dialog'])
  })

  test('that nobody bound stays the browser’s', () => {
    keyboard.press('j')
    expect(keyboard.prevented).toEqual([])
  })

  test('is dead while somebody types, but Escape and Ctrl K are not', () => {
    class Input {
      type = 'text'
      isContentEditable = false
      matches = (): boolean => true
    }
    vi.stubGlobal('HTMLElement', Input)
    const target = new Input() as unknown as EventTarget
    offs.push(bindActions('Home', { next: does('next'), close: does('close'), palette: does('palette') }))
    keyboard.press('j', { target })
    keyboard.press('Escape', { target })
    keyboard.press('k', { target, ctrlKey: true })
    expect(done).toEqual(['close', 'palette'])
  })

  test('of one character can be switched off, others go on', () => {
    offs.push(bindActions('Home', { next: does('next'), close: does('close') }))
    letterKeys.value = false
    keyboard.press('j')
    keyboard.press('ArrowDown')
    keyboard.press('Escape')
    expect(done).toEqual(['next', 'close'])
  })

  test('is gone when its screen is gone', () => {
    bindActions('Home', { next: does('next') })()
    keyboard.press('j')
    expect(done).toEqual([])
  })
})

describe('a prefix', () => {
  test('waits for the second key', () => {
    offs.push(bindActions('Everywhere', { home: does('home'), copyResume: does('resume') }))
    keyboard.press('g')
    keyboard.press('h')
    keyboard.press('y')
    keyboard.press('r')
    expect(done).toEqual(['home', 'resume'])
  })

  test('swallows a key that may not follow', () => {
    offs.push(bindActions('Home', { copyResume: does('resume'), next: does('next') }))
    keyboard.press('y')
    keyboard.press('j')
    keyboard.press('j')
    expect(done).toEqual(['next'])
  })

  test('shows what may follow after 400 ms', () => {
    offs.push(bindActions('Home', { copyResume: does('resume'), copyId: does('id') }))
    const options = (): string | undefined => prefixHint.pending?.options.map((option) => option.key).join('')
    keyboard.press('y')
    vi.advanceTimersByTime(399)
    expect(options()).toBeUndefined()
    vi.advanceTimersByTime(1)
    expect(options()).toBe('ri')
    keyboard.press('r')
    expect(options()).toBeUndefined()
  })

  test('is none where nothing bound begins with it', () => {
    keyboard.press('y')
    expect(keyboard.prevented).toEqual([])
  })
})

test('what is listed is what is bound, each action once and from its nearest scope', () => {
  offs.push(bindActions('Everywhere', { next: does('a'), help: does('b') }))
  offs.push(bindActions('Home', { next: { run: does('c'), label: 'Next project' } }))
  expect(listBoundActions().map(({ scope, name, label }) => [scope, name, label])).toEqual([
    ['Home', 'next', 'Next project'],
    ['Everywhere', 'help', KEYMAP.help.label],
  ])
  runAction('next')
  expect(done).toEqual(['c'])
})
