/**
 * Folds of the pieces: which are open, and bodies that are loaded on opening.
 *
 * A piece is drawn anew whenever it comes back into sight or changes live, so what the reader
 * opened is kept here by key and put back. Bodies that were loaded are kept too, up to a limit.
 */
import { repeatUnchangedLines } from './diff-lines'

export interface FoldHost {
  fetchBody(key: string): Promise<string>
  /** Do something that changes heights without moving the first line. */
  changeContent(change: () => void): void
  describeError(error: unknown): string
  /** A body came in: it may hold marks to be painted. */
  onLoaded(): void
}

/** Which folds the reader opened or closed, kept over a reload and a step back. */
export type FoldStates = Readonly<Record<string, boolean>>

const KEPT_STATES = 400

/** What stands behind the name of a message in the key of a fold. */
const MESSAGE_END = /[~/:]/

const CACHED_CHARACTERS = 4_000_000
const AT_ONCE = 4
const SKELETON_AFTER = 300

export class Folds {
  private states = new Map<string, boolean>()
  /** What the reader did to all folds of a message; those not drawn yet follow it. */
  private messages = new Map<string, boolean>()
  private bodies = new Map<string, string>()
  private cached = 0
  private running = 0
  private queue: (() => void)[] = []
  /** Whether folds nobody touched are open; null leaves that to the server. */
  private all: boolean | null = null

  constructor(private host: FoldHost) {}

  /** What the reader did to folds, the latest of it. */
  changedByReader(): FoldStates {
    return Object.fromEntries([...this.states].slice(-KEPT_STATES))
  }

  /** Begin with what the reader did before. */
  restore(states: FoldStates): void {
    this.states = new Map(Object.entries(states))
    this.messages.clear()
    this.all = null
  }

  get isAllOpen(): boolean {
    return this.all === true
  }

  /** Put the folds of something that was just drawn into the state the reader left them in. */
  apply(root: ParentNode): void {
    repeatUnchangedLines(root)
    for (const fold of findFolds(root)) {
      const wanted =
        this.states.get(foldKey(fold)) ?? this.messages.get(messageOf(fold)) ?? this.all ?? fold.open
      if (fold.open !== wanted) {
        fold.open = wanted
      }
      if (wanted) {
        void this.loadBody(fold)
      }
    }
  }

  /** A fold was opened or closed, by whomever. */
  noteToggle(fold: HTMLDetailsElement): void {
    // Folds that the server sends open say so too when they appear.
    if (this.states.get(foldKey(fold)) !== fold.open) {
      this.states.delete(foldKey(fold))
      this.states.set(foldKey(fold), fold.open)
    }
    if (fold.open) {
      void this.loadBody(fold)
    }
  }

  /** Open or close a fold, and wait for what is in it. */
  async setOpen(fold: HTMLDetailsElement, open: boolean): Promise<void> {
    this.states.set(foldKey(fold), open)
    if (fold.open !== open) {
      this.host.changeContent(() => (fold.open = open))
    }
    if (open) {
      await this.loadBody(fold)
    }
  }

  /** Open folds by their keys, outer ones first; gives those that were closed. */
  async openAll(root: ParentNode, keys: readonly string[]): Promise<string[]> {
    const opened: string[] = []
    for (const key of keys) {
      const fold = root.querySelector(`details[data-key="${CSS.escape(key)}"]`)
      if (fold instanceof HTMLDetailsElement && !fold.open) {
        opened.push(key)
        await this.setOpen(fold, true)
      }
    }
    return opened
  }

  /** Leave a fold to what it is by itself. */
  forget(key: string): void {
    this.states.delete(key)
  }

  /** Open or close all folds, those that are not drawn yet as well. */
  setAll(root: ParentNode, open: boolean): void {
    this.all = open
    this.states.clear()
    this.messages.clear()
    this.setIn(root, open)
  }

  /** Open all folds of some messages, or close them: drawn ones now, the others when they are. */
  toggleMessages(messages: ReadonlySet<string>, drawn: readonly ParentNode[]): void {
    // An agent inside has messages of its own, which say nothing of these.
    const own = drawn.flatMap(findFolds).filter((fold) => messages.has(messageOf(fold)))
    const open = own.some((fold) => !fold.open)
    for (const [key] of this.states) {
      if (messages.has(key.split(MESSAGE_END, 1)[0] ?? '')) {
        this.states.delete(key)
      }
    }
    for (const message of messages) {
      this.messages.set(message, open)
    }
    for (const root of drawn) {
      this.setIn(root, open)
    }
  }

  /** Open or close the folds in a part of the page. */
  setIn(root: ParentNode, open: boolean): void {
    this.host.changeContent(() => {
      for (const fold of findFolds(root)) {
        this.states.set(foldKey(fold), open)
        fold.open = open
      }
    })
    if (open) {
      for (const fold of findFolds(root)) {
        void this.loadBody(fold)
      }
    }
  }

  /** Load the body of a fold if it is not here, with a skeleton when it takes its time. */
  async loadBody(fold: HTMLDetailsElement): Promise<void> {
    const key = fold.dataset['body']
    const body = fold.querySelector<HTMLElement>(':scope > .body')
    if (key === undefined || !body || body.dataset['loaded'] !== undefined) {
      return
    }
    body.dataset['loaded'] = ''
    const known = this.bodies.get(key)
    if (known !== undefined) {
      this.showBody(body, known)
      return
    }
    const late = setTimeout(
      () => this.host.changeContent(() => body.classList.add('waiting')),
      SKELETON_AFTER,
    )
    try {
      const html = await this.runLimited(() => this.host.fetchBody(key))
      this.cacheBody(key, html)
      this.host.changeContent(() => this.showBody(body, html))
      this.host.onLoaded()
    } catch (error) {
      this.host.changeContent(() => this.showError(fold, body, this.host.describeError(error)))
    } finally {
      clearTimeout(late)
      body.classList.remove('waiting')
    }
  }

  private showBody(body: HTMLElement, html: string): void {
    const made = document.createElement('template')
    made.innerHTML = html
    body.replaceChildren(made.content)
    this.apply(body)
  }

  private showError(fold: HTMLDetailsElement, body: HTMLElement, words: string): void {
    const message = document.createElement('p')
    message.className = 'trouble'
    message.setAttribute('role', 'alert')
    message.textContent = `${words} `
    const again = document.createElement('button')
    again.type = 'button'
    again.className = 'act'
    again.textContent = 'Try again'
    again.addEventListener('click', () => {
      delete body.dataset['loaded']
      body.replaceChildren()
      void this.loadBody(fold)
    })
    message.append(again)
    body.replaceChildren(message)
  }

  private cacheBody(key: string, html: string): void {
    this.bodies.set(key, html)
    this.cached += html.length
    for (const [old, text] of this.bodies) {
      if (this.cached <= CACHED_CHARACTERS || old === key) {
        break
      }
      this.bodies.delete(old)
      this.cached -= text.length
    }
  }

  /** Ask only a few at a time: "unfold everything" must not flood the server. */
  private async runLimited<T>(ask: () => Promise<T>): Promise<T> {
    if (this.running >= AT_ONCE) {
      await new Promise<void>((go) => this.queue.push(go))
    }
    this.running += 1
    try {
      return await ask()
    } finally {
      this.running -= 1
      this.queue.shift()?.()
    }
  }
}

export function findFolds(root: ParentNode): HTMLDetailsElement[] {
  return [...root.querySelectorAll<HTMLDetailsElement>('details[data-key]')]
}

function messageOf(fold: HTMLElement): string {
  return foldKey(fold).split(MESSAGE_END, 1)[0] ?? ''
}

function foldKey(fold: HTMLElement): string {
  return fold.dataset['key'] ?? ''
}
