/**
 * What happens while the page is open: one stream for all screens, and for all tabs.
 *
 * A browser opens six connections to a server and no more, so six tabs with a stream each would
 * leave none for questions. One tab holds the stream and tells the others. Every tab knows the
 * id of the last event: whoever takes over goes on behind it, without gap and without double.
 */
import { untrack } from 'svelte'

import { onUnreachable } from './api'
import { EventStreamParser, type StreamMessage } from './event-stream'
import type {
  AnnotationItem,
  ChangeEvent,
  GoneEvent,
  IndexEvent,
  LiveEvent,
  ResetEvent,
  LiveMessage,
} from './wire'

export interface EventKinds {
  live: LiveEvent
  gone: GoneEvent
  change: ChangeEvent
  said: LiveMessage
  index: IndexEvent
  annotation: AnnotationItem
  /** Events were missed for good, or the server is another one: ask for everything again. */
  reset: ResetEvent
}

export type Connection = 'connecting' | 'open' | 'lost'
interface ServerEvent {
  readonly name: string
  readonly id: string
  readonly data: unknown
}
type TabMessage =
  | { readonly kind: 'events'; readonly events: readonly ServerEvent[] }
  | { readonly kind: 'connection'; readonly state: Connection }
  | { readonly kind: 'ask' }

const ADDRESS = '/api/events'
/** The server says something every 15 s; three times nothing is a cut line. */
const SILENCE = 40_000
const RETRY = [250, 500, 1_000, 2_000, 4_000]
const NAME = 'bough.events'

const handlers = new Map<string, Set<(data: never) => void>>()
const connectionHandlers = new Set<(state: Connection) => void>()
let state = $state.raw<Connection>('connecting')

/** Whether events arrive. `lost` means that the page may be behind and is trying again. */
export const connection = {
  get state(): Connection {
    return state
  },
}

/** Nobody waits longer than this for the stream before asking for anything. */
const PATIENCE = 300
let isLate = false
let wasHeard = false
/**
 * Settled when events are heard. What is asked for afterwards cannot miss a change that happens
 * between its answer and the first event; where the stream is late, a reset makes up for it.
 */
export const eventsReady = new Promise<void>((resolve) => {
  const off = onConnection((value) => {
    if (value !== 'connecting') {
      resolve()
    }
  })
  setTimeout(() => {
    isLate = state === 'connecting'
    resolve()
    off()
  }, PATIENCE)
})

let lastId = ''
let isHolding = false
let attempt = 0
let wake: (() => void) | null = null
let channel: BroadcastChannel | null = null

/** Call a handler with every event of a kind; returns what ends it. */
export function onEvent<K extends keyof EventKinds>(
  kind: K,
  handler: (data: EventKinds[K]) => void,
): () => void {
  const known = handlers.get(kind) ?? new Set()
  handlers.set(kind, known.add(handler))
  return () => known.delete(handler)
}

/** Call a handler with the connection as it is and whenever it changes; returns what ends it. */
export function onConnection(handler: (state: Connection) => void): () => void {
  connectionHandlers.add(handler)
  handler(untrack(() => state))
  return () => connectionHandlers.delete(handler)
}

function setConnection(next: Connection): void {
  if (next !== state) {
    state = next
    for (const handler of connectionHandlers) {
      handler(next)
    }
  }
}

/** Call a handler when events are heard again after a silence; returns what ends it. */
export function onReturn(handler: () => void): () => void {
  let lost = false
  return onConnection((value) => {
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
    if (state !== 'open') {
      broadcast({ kind: 'connection', state: 'lost' })
    }
  })
  addEventListener('online', retry)
  if ('BroadcastChannel' in globalThis && 'locks' in navigator) {
    channel = new BroadcastChannel(NAME)
    channel.addEventListener('message', (event: MessageEvent<TabMessage>) => receive(event.data))
    channel.postMessage({ kind: 'ask' } satisfies TabMessage)
    navigator.locks
      .request(NAME, { signal: ending.signal }, () => holdStream(ending.signal))
      .catch(() => undefined)
  } else {
    void holdStream(ending.signal)
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
async function holdStream(signal: AbortSignal): Promise<void> {
  isHolding = true
  const isOver = (): boolean => signal.aborted
  while (!isOver()) {
    try {
      await readStream(signal)
    } catch {
      // Any end is answered alike: wait, longer each time, and go on behind the last event.
    }
    if (!isOver()) {
      broadcast({ kind: 'connection', state: 'lost' })
      await waitToRetry(RETRY[Math.min(attempt, RETRY.length - 1)] ?? 1_000)
      attempt += 1
    }
  }
}

async function readStream(signal: AbortSignal): Promise<void> {
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
    broadcast({ kind: 'connection', state: 'open' })
    if (mayHaveMissed) {
      const reset = { name: 'reset', id: '', data: { reason: 'The stream began late.' } }
      broadcast({ kind: 'events', events: [reset] })
    }
    const parser = new EventStreamParser()
    const text = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await text.read(); !part.done; part = await text.read()) {
      clearTimeout(silent)
      silent = setTimeout(end, SILENCE)
      // Together: a message to the other tabs takes longer than to tell this one, and comes in bursts.
      const events = parser.read(part.value).map(parseEvent)
      if (events.length > 0) {
        broadcast({ kind: 'events', events })
      }
    }
  } finally {
    clearTimeout(silent)
    signal.removeEventListener('abort', end)
    cut.abort()
  }
}

function parseEvent({ kind, id, data }: StreamMessage): ServerEvent {
  try {
    return { name: kind, id, data: JSON.parse(data) as unknown }
  } catch {
    // What cannot be read is as good as missed.
    return { name: 'reset', id, data: { reason: 'unreadable' } }
  }
}

/** Tell this tab and the others. */
function broadcast(message: TabMessage): void {
  try {
    receive(message)
  } finally {
    channel?.postMessage(message)
  }
}

function receive(message: TabMessage): void {
  if (message.kind === 'ask') {
    if (isHolding) {
      channel?.postMessage({ kind: 'connection', state } satisfies TabMessage)
    }
    return
  }
  if (message.kind === 'connection') {
    wasHeard ||= message.state !== 'connecting'
    setConnection(message.state)
    return
  }
  for (const event of message.events) {
    lastId = event.id || lastId
    for (const handler of handlers.get(event.name) ?? []) {
      handler(event.data as never)
    }
  }
}

function waitToRetry(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
