/**
 * Who answers a key: screens bind actions by name, the last one bound is asked first.
 *
 * Keys made of a character are dead while somebody types and can be switched off altogether.
 * A prefix (`g`, `y`) waits for what follows and shows what may. `bound` is what `?` lists, so
 * it cannot tell anything but the truth.
 */
import { KEYMAP, ACTION_NAMES, type ActionName } from './keymap'
import { letterKeys } from './settings.svelte'
import { isOffered } from './team.svelte'

/** Does the action; `false` says that it had nothing to do, and others may be asked. */
export type Run = (event: KeyboardEvent | null) => unknown
export type Actions = { readonly [name in ActionName]?: Run | { run: Run; label: string } }

export interface BoundAction {
  readonly scope: string
  readonly name: ActionName
  readonly keys: readonly string[]
  readonly label: string
  readonly run: Run
}

interface Scope {
  readonly scope: string
  readonly actions: Actions
  readonly alone: boolean
}

export interface PendingPrefix {
  readonly prefix: string
  readonly options: readonly { readonly key: string; readonly label: string }[]
}

const HINT_AFTER = 400
const PREFIX_LASTS = 4_000

let scopes: readonly Scope[] = []
let prefix = ''
let hint: ReturnType<typeof setTimeout> | undefined
let forget: ReturnType<typeof setTimeout> | undefined
let pending = $state.raw<PendingPrefix | null>(null)

/** What may follow the prefix that was pressed; null most of the time. */
export const prefixHint = {
  get pending(): PendingPrefix | null {
    return pending
  },
}

/**
 * Bind actions of a screen or a pane; returns what takes them away again.
 *
 * `alone` is for what lies over the page (dialogs): nothing beneath it is asked.
 */
export function bindActions(scope: string, actions: Actions, { alone = false } = {}): () => void {
  const mine: Scope = { scope, actions, alone }
  scopes = [mine, ...scopes]
  return () => {
    scopes = scopes.filter((other) => other !== mine)
  }
}

/** List what is bound now, the nearest scope first, each action once. */
export function listBoundActions(): readonly BoundAction[] {
  const seen = new Set<ActionName>()
  const found: BoundAction[] = []
  for (const { scope, actions, alone } of scopes) {
    for (const name of ACTION_NAMES) {
      const action = actions[name]
      if (action && !seen.has(name) && isOffered(name)) {
        seen.add(name)
        const known = KEYMAP[name]
        const [run, label] = typeof action === 'function' ? [action, known.label] : [action.run, action.label]
        found.push({ scope, name, keys: known.keys, label, run })
      }
    }
    if (alone) {
      break
    }
  }
  return found
}

/** Do a bound action by its name, as the palette does; tells whether anybody did it. */
export function runAction(name: ActionName, event: KeyboardEvent | null = null): boolean {
  if (!isOffered(name)) {
    return false
  }
  for (const { actions, alone } of scopes) {
    const action = actions[name]
    const run = typeof action === 'function' ? action : action?.run
    if (run && run(event) !== false) {
      return true
    }
    if (alone) {
      return false
    }
  }
  return false
}

/** Listen to the keyboard. Returns what ends it. */
export function start(
  target: Pick<Document, 'addEventListener' | 'removeEventListener'> = document,
): () => void {
  target.addEventListener('keydown', handleKey)
  return () => target.removeEventListener('keydown', handleKey)
}

/** Write the key of an event the way the key map does. */
export function formatEventKey(event: KeyboardEvent): string {
  const key = event.key === ' ' ? 'Space' : event.key
  return event.ctrlKey || event.metaKey ? `Ctrl+${key.toLowerCase()}` : key
}

/** Tell whether a key press belongs to what has the focus and not to us. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) {
    return false
  }
  const button =
    target instanceof HTMLInputElement && ['button', 'checkbox', 'radio', 'submit'].includes(target.type)
  return target.isContentEditable || (!button && target.matches('input, textarea, select'))
}

function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) {
    return
  }
  const key = formatEventKey(event)
  if (['Shift', 'Control', 'Meta', 'Alt', 'Ctrl+control', 'Ctrl+meta', 'Ctrl+shift'].includes(key)) {
    return
  }
  if (belongsElsewhere(event, key)) {
    return
  }
  if (prefix) {
    const whole = `${prefix} ${key}`
    endPrefix()
    // A key that does not follow the prefix is swallowed: `y x` must not unfold anything.
    event.preventDefault()
    runKey(whole, event)
    return
  }
  if (isPrefix(key)) {
    beginPrefix(key)
    event.preventDefault()
    return
  }
  if (runKey(key, event)) {
    event.preventDefault()
  }
}

function belongsElsewhere(event: KeyboardEvent, key: string): boolean {
  const character = key.length === 1
  if (character && !letterKeys.value) {
    return true
  }
  if (isTyping(event.target)) {
    return key !== 'Escape' && !key.startsWith('Ctrl+')
  }
  if (event.target instanceof HTMLInputElement && event.target.type === 'radio' && isRadioKey(key)) {
    return true
  }
  const native =
    event.target instanceof Element && event.target.closest('a[href], button, summary, [role=button]')
  return Boolean(native) && (key === 'Enter' || key === 'Space')
}

/** Tell whether a key is of use to radio buttons, or would confirm them; others are the page's. */
function isRadioKey(key: string): boolean {
  return key === 'Space' || key === 'Enter' || key.startsWith('Arrow')
}

function runKey(key: string, event: KeyboardEvent): boolean {
  const name = ACTION_NAMES.find((one) => (KEYMAP[one].keys as readonly string[]).includes(key))
  return name !== undefined && runAction(name, event)
}

function isPrefix(key: string): boolean {
  return listFollowing(key).length > 0
}

function listFollowing(key: string): PendingPrefix['options'] {
  return listBoundActions().flatMap(({ keys, label }) =>
    keys.filter((one) => one.startsWith(`${key} `)).map((one) => ({ key: one.slice(key.length + 1), label })),
  )
}

function beginPrefix(key: string): void {
  prefix = key
  hint = setTimeout(() => (pending = { prefix: key, options: listFollowing(key) }), HINT_AFTER)
  forget = setTimeout(endPrefix, PREFIX_LASTS)
}

function endPrefix(): void {
  prefix = ''
  clearTimeout(hint)
  clearTimeout(forget)
  pending = null
}
