/**
 * What happens while the page is open: one stream for all screens, and for all tabs.
 *
 * A browser opens six connections to a server and no more, so six tabs with a stream each would
 * leave none for questions. One tab holds the stream and tells the others. Every tab knows the
 * id of the last event: whoever takes over goes on behind it, without gap and without double.
 */
import { readonly, writable } from 'svelte/store'

import { onUnreachable } from './api'
import { EventStreamParser } from './event-stream'
import type { ChangeEvent, GoneEvent, IndexEvent, LiveEvent, ResetEvent, LiveMessage } from './wire'

export interface EventKinds {
  live: LiveEvent
  gone: GoneEvent
  change: ChangeEvent
  said: LiveMessage
  index: IndexEvent
  /** Events were missed for good, or the server is another one: ask for everything again. */
  reset: ResetEvent
}

export type Connection = 'connecting' | 'open' | 'lost'
type Told =
  | { readonly kind: 'event'; readonly name: string; readonly id: string; readonly data: unknown }
  | { readonly kind: 'connection'; readonly state: Connection }
  | { readonly kind: 'ask' }

const ADDRESS = '/api/events'
/** The server says something every 15 s; three times nothing is a cut line. */
const SILENCE = 40_000
const RETRY = [250, 500, 1_000, 2_000, 4_000]
const NAME = 'bough.events'

const handlers = new Map<string, Set<(data: never) => void>>()
const state = writable<Connection>('connecting')
/** Whether events arrive. `lost` means that the page may be behind and is trying again. */
export const connection = readonly(state)

let now: Connection = 'connecting'
/** Nobody waits longer than this for the stream before asking for anything. */
const PATIENCE = 300
let isLate = false
let wasHeard = false
/**
 * Settled when events are heard. What is asked for afterwards cannot miss a change that happens
 * between its answer and the first event; where the stream is late, a reset makes up for it.
 */
export const eventsReady = new Promise<void>((resolve) => {
  const off = state.subscribe((value) => {
    if (value !== 'connecting') {
      resolve()
    }
  })
  setTimeout(() => {
    isLate = now === 'connecting'
    resolve()
    off()
  }, PATIENCE)
})

let lastId = ''
let holds = false
let attempt = 0
let wake: (() => void) | null = null
let channel: BroadcastChannel | null = null

/** Be told of events of a kind; returns what ends it. */
export function onEvent<K extends keyof EventKinds>(
  kind: K,
  handler: (data: EventKinds[K]) => void,
): () => void {
  const known = handlers.get(kind) ?? new Set()
  handlers.set(kind, known.add(handler))
  return () => known.delete(handler)
}

/** Be told when events are heard again after a silence; returns what ends it. */
export function onReturn(handler: () => void): () => void {
  let lost = false
  return state.subscribe((value) => {
    if (value === 'open' && lost) {
      handler()
    }
    lost = value === 'lost'
  })
}

/** Try at once instead of waiting for the next attempt. */
export function retry(): void {
  attempt = 0
  wake?.()
}

/** Begin to listen, in this tab or through another one. Returns what ends it. */
export function start(): () => void {
  const ending = new AbortController()
  const offUnreachable = onUnreachable(() => {
    if (now !== 'open') {
      tell({ kind: 'connection', state: 'lost' })
    }
  })
  addEventListener('online', retry)
  if ('BroadcastChannel' in globalThis && 'locks' in navigator) {
    channel = new BroadcastChannel(NAME)
    channel.addEventListener('message', (event: MessageEvent<Told>) => hear(event.data))
    channel.postMessage({ kind: 'ask' } satisfies Told)
    navigator.locks.request(NAME, { signal: ending.signal }, () => hold(ending.signal)).catch(() => undefined)
  } else {
    void hold(ending.signal)
  }
  return () => {
    ending.abort()
    offUnreachable()
    removeEventListener('online', retry)
    channel?.close()
    channel = null
  }
}

/** Hold the stream for all tabs until this one goes. */
async function hold(signal: AbortSignal): Promise<void> {
  holds = true
  const isOver = (): boolean => signal.aborted
  while (!isOver()) {
    try {
      await follow(signal)
    } catch {
      // Any end is answered alike: wait, longer each time, and go on behind the last event.
    }
    if (!isOver()) {
      tell({ kind: 'connection', state: 'lost' })
      await pause(RETRY[Math.min(attempt, RETRY.length - 1)] ?? 1_000)
      attempt += 1
    }
  }
}

async function follow(signal: AbortSignal): Promise<void> {
  const cut = new AbortController()
  const end = (): void => cut.abort()
  signal.addEventListener('abort', end)
  let silent = setTimeout(end, SILENCE)
  try {
    const headers: Record<string, string> = { Accept: 'text/event-stream' }
    if (lastId) {
      headers['Last-Event-ID'] = lastId
    }
    const response = await fetch(ADDRESS, { headers, signal: cut.signal, cache: 'no-store' })
    if (!response.ok || !response.body) {
      throw new Error(`events: ${response.status}`)
    }
    attempt = 0
    // Without an event to go on behind, nobody knows what was missed.
    const mayHaveMissed = (isLate || wasHeard) && !lastId
    tell({ kind: 'connection', state: 'open' })
    if (mayHaveMissed) {
      tell({ kind: 'event', name: 'reset', id: '', data: { reason: 'The stream began late.' } })
    }
    const reader = new EventStreamParser()
    const text = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await text.read(); !part.done; part = await text.read()) {
      clearTimeout(silent)
      silent = setTimeout(end, SILENCE)
      for (const message of reader.read(part.value)) {
        pass(message.kind, message.id, message.data)
      }
    }
  } finally {
    clearTimeout(silent)
    signal.removeEventListener('abort', end)
    cut.abort()
  }
}

function pass(name: string, id: string, data: string): void {
  try {
    tell({ kind: 'event', name, id, data: JSON.parse(data) as unknown })
  } catch {
    // What cannot be read is as good as missed.
    tell({ kind: 'event', name: 'reset', id, data: { reason: 'unreadable' } })
  }
}

/** Tell this tab and the others. */
function tell(told: Told): void {
  hear(told)
  channel?.postMessage(told)
}

function hear(told: Told): void {
  if (told.kind === 'ask') {
    if (holds) {
      channel?.postMessage({ kind: 'connection', state: now } satisfies Told)
    }
    return
  }
  if (told.kind === 'connection') {
    now = told.state
    wasHeard ||= told.state !== 'connecting'
    state.set(told.state)
    return
  }
  lastId = told.id || lastId
  for (const handler of handlers.get(told.name) ?? []) {
    handler(told.data as never)
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
