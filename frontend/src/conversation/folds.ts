/**
 * Folds of the pieces: which are open, and bodies that are loaded on opening.
 *
 * A piece is drawn anew whenever it comes back into sight or changes live, so what the reader
 * opened is kept here by key and put back. Bodies that were loaded are kept too, up to a limit.
 */
import { repeatLinesThatStayed } from './sidebyside'

export interface Asks {
  body(key: string): Promise<string>
  /** Do something that changes heights without moving the first line. */
  holding(change: () => void): void
  words(error: unknown): string
  /** A body came in: it may hold marks to be painted. */
  loaded(): void
}

/** Which folds the reader opened or closed, kept over a reload and a way back. */
export type Opened = Readonly<Record<string, boolean>>

const KEPT = 400

const ROOM = 4_000_000
const TOGETHER = 4
const SKELETON_AFTER = 300

export class Folds {
  private states = new Map<string, boolean>()
  private bodies = new Map<string, string>()
  private filled = 0
  private running = 0
  private queue: (() => void)[] = []
  /** Whether folds nobody touched are open; null leaves that to the server. */
  private all: boolean | null = null

  constructor(private asks: Asks) {}

  /** What the reader did to folds, the latest of it. */
  opened(): Opened {
    return Object.fromEntries([...this.states].slice(-KEPT))
  }

  /** Begin with what the reader did before. */
  begin(opened: Opened): void {
    this.states = new Map(Object.entries(opened))
    this.all = null
  }

  get isAllOpen(): boolean {
    return this.all === true
  }

  /** Put the folds of something that was just drawn into the state the reader left them in. */
  dress(root: ParentNode): void {
    repeatLinesThatStayed(root)
    for (const fold of foldsOf(root)) {
      const wanted = this.states.get(keyOf(fold)) ?? this.all ?? fold.open
      if (fold.open !== wanted) {
        fold.open = wanted
      }
      if (wanted) {
        void this.fill(fold)
      }
    }
  }

  /** A fold was opened or closed, by whomever. */
  toggled(fold: HTMLDetailsElement): void {
    // Folds that the server sends open say so too when they appear.
    if (this.states.get(keyOf(fold)) !== fold.open) {
      this.states.delete(keyOf(fold))
      this.states.set(keyOf(fold), fold.open)
    }
    if (fold.open) {
      void this.fill(fold)
    }
  }

  /** Open or close a fold, and wait for what is in it. */
  async set(fold: HTMLDetailsElement, open: boolean): Promise<void> {
    this.states.set(keyOf(fold), open)
    if (fold.open !== open) {
      this.asks.holding(() => (fold.open = open))
    }
    if (open) {
      await this.fill(fold)
    }
  }

  /** Leave a fold to what it is by itself. */
  forget(key: string): void {
    this.states.delete(key)
  }

  /** Open or close all folds, those that are not drawn yet as well. */
  setAll(root: ParentNode, open: boolean): void {
    this.all = open
    this.states.clear()
    this.setIn(root, open)
  }

  /** Open or close the folds in a part of the page. */
  setIn(root: ParentNode, open: boolean): void {
    this.asks.holding(() => {
      for (const fold of foldsOf(root)) {
        this.states.set(keyOf(fold), open)
        fold.open = open
      }
    })
    if (open) {
      for (const fold of foldsOf(root)) {
        void this.fill(fold)
      }
    }
  }

  /** Load the body of a fold if it is not here, with a skeleton when it takes its time. */
  async fill(fold: HTMLDetailsElement): Promise<void> {
    const key = fold.dataset['body']
    const body = fold.querySelector<HTMLElement>(':scope > .body')
    if (key === undefined || !body || body.dataset['loaded'] !== undefined) {
      return
    }
    body.dataset['loaded'] = ''
    const known = this.bodies.get(key)
    if (known !== undefined) {
      this.show(body, known)
      return
    }
    const late = setTimeout(() => this.asks.holding(() => body.classList.add('waiting')), SKELETON_AFTER)
    try {
      const html = await this.inTurn(() => this.asks.body(key))
      this.keep(key, html)
      this.asks.holding(() => this.show(body, html))
      this.asks.loaded()
    } catch (error) {
      this.asks.holding(() => this.say(fold, body, this.asks.words(error)))
    } finally {
      clearTimeout(late)
      body.classList.remove('waiting')
    }
  }

  private show(body: HTMLElement, html: string): void {
    const made = document.createElement('template')
    made.innerHTML = html
    body.replaceChildren(made.content)
    this.dress(body)
  }

  private say(fold: HTMLDetailsElement, body: HTMLElement, words: string): void {
    const told = document.createElement('p')
    told.className = 'trouble'
    told.setAttribute('role', 'alert')
    told.textContent = `${words} `
    const again = document.createElement('button')
    again.type = 'button'
    again.className = 'act'
    again.textContent = 'Try again'
    again.addEventListener('click', () => {
      delete body.dataset['loaded']
      body.replaceChildren()
      void this.fill(fold)
    })
    told.append(again)
    body.replaceChildren(told)
  }

  private keep(key: string, html: string): void {
    this.bodies.set(key, html)
    this.filled += html.length
    for (const [old, text] of this.bodies) {
      if (this.filled <= ROOM || old === key) {
        break
      }
      this.bodies.delete(old)
      this.filled -= text.length
    }
  }

  /** Ask only a few at a time: "unfold everything" must not flood the server. */
  private async inTurn<T>(ask: () => Promise<T>): Promise<T> {
    if (this.running >= TOGETHER) {
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

export function foldsOf(root: ParentNode): HTMLDetailsElement[] {
  return [...root.querySelectorAll<HTMLDetailsElement>('details[data-key]')]
}

function keyOf(fold: HTMLElement): string {
  return fold.dataset['key'] ?? ''
}
