/**
 * The keys of the conversation screen, by action (keymap.ts says which key that is).
 */
import type { Actions } from '../keys'
import { conversation, go } from '../routes'
import { step as stepHit, walk } from '../search/hits'
import { copy, toast } from '../ui/toast'
import { askMarkdown } from './asking'
import { sentence } from '../api'
import type { Over } from './acts'
import { foldsOf } from './folds'
import type { Finding } from './finding.svelte'
import type { Reader } from './reader.svelte'
import { promptBeside, uuidOf } from './told'
import { focusOn, foldAt, parentOf, stopAt, stopBelow, stopsIn, towards } from './walk'
import { get } from 'svelte/store'

export interface Hands {
  readonly reader: Reader
  readonly finding: Finding
  readonly strip: () => HTMLElement | undefined
  readonly show: (over: Over) => void
  readonly flip: (what: 'outline' | 'facts' | 'thinking' | 'wrap') => void
}

export function bindingsOf(hands: Hands): Actions {
  const { reader, finding, show, flip } = hands
  return {
    next: () => walkBy(hands, 1),
    previous: () => walkBy(hands, -1),
    nextGroup: { run: () => toPrompt(reader, 1), label: 'Next prompt' },
    previousGroup: { run: () => toPrompt(reader, -1), label: 'Previous prompt' },
    unfold: () => unfold(hands),
    fold: () => fold(hands),
    open: (event) => event !== null && press(hands),
    toggle: (event) => toggle(hands, event),
    first: { run: () => void reader.start(), label: 'Start of the conversation' },
    last: { run: () => void reader.end(), label: 'End of the conversation; live: and follow' },
    halfDown: () => half(reader, 1),
    halfUp: () => half(reader, -1),
    find: { run: () => finding.open(), label: 'Find in this conversation' },
    findWords: () => (finding.isOpen ? false : finding.open()),
    nextHit: () => hit(hands, 1),
    previousHit: () => hit(hands, -1),
    close: () => close(hands),
    outline: () => flip('outline'),
    facts: () => flip('facts'),
    unfoldTurn: () => unfoldTurn(hands),
    unfoldAll: () => unfoldAll(hands),
    thinking: () => flip('thinking'),
    follow: () => void reader.follow(!reader.isFollowing),
    wrap: () => flip('wrap'),
    copyResume: () => void copyFact(reader, 'resume', 'Resume command'),
    copyId: () => void copy(reader.where.session, 'Session id'),
    copyLink: () => void copyLink(hands),
    copyPath: () => void copyFact(reader, 'path', 'Path'),
    copyMarkdown: () => void copyMarkdown(hands),
    export: () => show({ kind: 'export' }),
    raw: () => show({ kind: 'raw', of: recordHere(hands) }),
  }
}

/** The piece the keyboard is in, else the first that is seen. */
function pieceHere({ reader }: Hands): HTMLElement | null {
  const focused = document.activeElement?.closest<HTMLElement>('.slot')
  const key = focused?.dataset['piece'] ?? reader.told?.keys[reader.current] ?? ''
  return reader.stage?.element(key) ?? null
}

export function uuidHere(hands: Hands): string {
  const inside = document.activeElement?.closest<HTMLElement>('.strip [data-uuid]')?.dataset['uuid']
  return inside ?? uuidOf(pieceHere(hands)?.dataset['piece'] ?? '')
}

function recordHere(hands: Hands): { uuid?: string; offset?: number } {
  const uuid = uuidHere(hands)
  return uuid.startsWith('@') ? { offset: Number(uuid.slice(1)) } : { uuid }
}

function stops({ reader, strip }: Hands): HTMLElement[] {
  const root = strip()
  return root ? stopsIn(root, reader.stage?.elements() ?? []) : []
}

function walkBy(hands: Hands, by: 1 | -1): void {
  const { stage } = hands.reader
  const all = stops(hands)
  if (!stage || all.length === 0) {
    return
  }
  const at = stopAt(all, document.activeElement)
  const top = stage.box().top + stage.view.cover
  const next = at >= 0 ? at + by : stopBelow(all, top)
  const stop = all[Math.max(0, Math.min(all.length - 1, next))]
  if (stop) {
    visit(hands, stop)
  }
}

/** Focus a stop and scroll as little as is needed to see it. */
function visit({ reader }: Hands, stop: HTMLElement): void {
  const { stage } = reader
  if (!stage) {
    return
  }
  focusOn(stop)
  const screen = stage.box()
  const box = stop.getBoundingClientRect()
  const by = towards(box, screen.top + stage.view.cover + 12, screen.bottom - 24)
  if (by !== 0) {
    stage.scrollBy(by)
  }
}

async function toPrompt(reader: Reader, by: 1 | -1): Promise<void> {
  const { told } = reader
  const focused = document.activeElement?.closest<HTMLElement>('.slot')?.dataset['piece']
  // At the end the last prompt is the one before, wherever the top of the screen is.
  const last = reader.isFollowing && by < 0 ? (told?.keys.length ?? 0) : reader.current
  const here = focused !== undefined && told ? told.keys.indexOf(focused) : last
  const next = told ? promptBeside(told, here >= 0 ? here : reader.current, by) : -1
  if (next < 0) {
    return
  }
  await reader.jump(next)
  const piece = reader.stage?.element(told?.keys[next] ?? '')?.querySelector<HTMLElement>('.piece')
  if (piece) {
    focusOn(piece)
  }
}

function unfold(hands: Hands): boolean {
  const summary = foldAt(document.activeElement)
  if (summary) {
    if (summary.open) {
      walkBy(hands, 1)
    } else {
      void hands.reader.folds.set(summary, true)
    }
    return true
  }
  const first = foldsIn(document.activeElement)[0]
  if (first) {
    visit(hands, first.querySelector('summary') ?? first)
  }
  return first !== undefined
}

function fold(hands: Hands): unknown {
  const stop = document.activeElement
  const own = foldAt(stop)
  if (own?.open) {
    void hands.reader.folds.set(own, false)
    return true
  }
  const parent = stop?.closest('.slot') ? parentOf(stop) : null
  if (!parent || parent === stop) {
    return false
  }
  visit(hands, parent)
  return true
}

function foldsIn(stop: Element | null): HTMLDetailsElement[] {
  return stop?.closest('.slot') ? foldsOf(stop).filter((one) => one.checkVisibility()) : []
}

function press(hands: Hands): boolean {
  const stop = document.activeElement
  const button = stop?.matches('.piece') ? stop.querySelector<HTMLElement>('[data-do=twig]') : null
  if (button) {
    button.click()
    return true
  }
  return unfold(hands)
}

function toggle(hands: Hands, event: KeyboardEvent | null): void {
  const first = document.activeElement?.matches('.piece') ? foldsIn(document.activeElement)[0] : undefined
  if (first) {
    void hands.reader.folds.set(first, !first.open)
  } else {
    page(hands.reader, event?.shiftKey ? -0.9 : 0.9)
  }
}

function half(reader: Reader, by: 1 | -1): void {
  page(reader, by / 2)
}

function page(reader: Reader, screens: number): void {
  const { stage } = reader
  stage?.scrollBy((stage.view.height - stage.view.cover) * screens)
}

/** Next place of the find; without one, the next hit of the search one came from. */
async function hit(hands: Hands, by: 1 | -1): Promise<void> {
  const { finding, reader } = hands
  if (await finding.step(by)) {
    return
  }
  const { session, agent } = reader.where
  const search = get(walk)
  const current = search?.hits[search.at]
  const uuid = current?.session === session ? current.uuid : null
  try {
    const next = await stepHit({ session, uuid, agent }, by)
    if (next) {
      reader.note()
      go(next)
    } else if (search) {
      toast(by > 0 ? 'That was the last hit.' : 'That was the first hit.')
    }
  } catch (error) {
    toast(sentence(error), { failed: true })
  }
}

function close({ finding, reader }: Hands): boolean {
  if (finding.isOpen || finding.brought.length) {
    finding.close()
    finding.brought = []
    return true
  }
  const focused = document.activeElement
  if (focused instanceof HTMLElement && focused.closest('.slot')) {
    focused.blur()
    return true
  }
  if (reader.where.agent) {
    const call = reader.facts?.agents.find((one) => one.id === reader.where.agent)?.call_uuid
    go(conversation(reader.where.session, { at: call }))
    return true
  }
  return false
}

/** Unfold all of a turn, whichever pieces it has; folded again where nothing is left to unfold. */
function unfoldTurn(hands: Hands): void {
  const { reader } = hands
  const uuid = uuidOf(pieceHere(hands)?.dataset['piece'] ?? '')
  const own = (reader.stage?.elements() ?? []).filter((slot) => uuidOf(slot.dataset['piece'] ?? '') === uuid)
  const open = own.some((slot) => foldsOf(slot).some((one) => !one.open))
  for (const slot of own) {
    reader.folds.setIn(slot, open)
  }
}

function unfoldAll({ reader, strip }: Hands): void {
  const root = strip()
  if (root) {
    const open = !reader.folds.isAllOpen
    reader.folds.setAll(root, open)
    toast(open ? 'Everything is unfolded.' : 'Everything is folded.')
  }
}

async function copyLink(hands: Hands): Promise<void> {
  const { session, tip, agent } = hands.reader.where
  const at = uuidHere(hands)
  await copy(location.origin + conversation(session, { tip, agent, at }), 'Link to this message')
}

/** Copy one of the facts; a key pressed before they are here waits for them. */
async function copyFact(reader: Reader, name: 'path' | 'resume', what: string): Promise<void> {
  if (!reader.facts) {
    await reader.loadFacts()
  }
  if (reader.facts) {
    await copy(reader.facts[name], what)
  } else {
    toast(sentence(reader.sheet.failure), { failed: true })
  }
}

async function copyMarkdown(hands: Hands): Promise<void> {
  const focused = document.activeElement?.closest('.slot')
  try {
    const text = await askMarkdown(hands.reader.where, focused ? uuidHere(hands) : null)
    await copy(text, focused ? 'This message as Markdown' : 'The conversation as Markdown')
  } catch (error) {
    toast(sentence(error), { failed: true })
  }
}
