import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

interface Asked {
  readonly headers: Record<string, string>
  readonly say: (text: string) => void
  readonly cut: () => void
}

let asked: Asked[]
let refuses: boolean

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  asked = []
  refuses = false
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    if (refuses) {
      return Promise.reject(new TypeError('refused'))
    }
    let writer: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (writer = controller) })
    init.signal?.addEventListener('abort', () => writer?.error(new TypeError('aborted')))
    asked.push({
      headers: init.headers as Record<string, string>,
      say: (text) => writer?.enqueue(new TextEncoder().encode(text)),
      cut: () => writer?.error(new TypeError('cut')),
    })
    return Promise.resolve(new Response(body))
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const soon = (milliseconds = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds)
const gone = (number: number): string => `id: boot-${number}\nevent: gone\ndata: {"session":"${number}"}\n\n`

async function listening(): Promise<{ heard: string[]; states: string[]; stop: () => void }> {
  const events = await import('./events.svelte')
  const heard: string[] = []
  const states: string[] = []
  events.onEvent('gone', ({ session }) => heard.push(session))
  events.onEvent('reset', ({ reason }) => heard.push(reason))
  events.onConnection((state) => states.push(state))
  const stop = events.start()
  await soon()
  return { heard, states, stop }
}

describe('the stream', () => {
  test('goes on behind the last event after it was cut, without gap and without double', async () => {
    const { heard, states, stop } = await listening()
    asked[0]?.say(gone(1) + gone(2))
    await soon()
    asked[0]?.cut()
    await soon(300)
    asked[1]?.say(gone(3))
    await soon()

    expect(asked.map((one) => one.headers['Last-Event-ID'])).toEqual([undefined, 'boot-2'])
    expect(heard).toEqual(['1', '2', '3'])
    expect(states).toEqual(['connecting', 'open', 'lost', 'open'])
    stop()
  })

  test('asks for everything again where nobody knows what was missed', async () => {
    const { heard, stop } = await listening()
    asked[0]?.cut()
    await soon(300)

    expect(heard).toEqual(['The stream began late.'])
    stop()
  })

  test('is tried again at growing distances while nobody answers', async () => {
    refuses = true
    const { states, stop } = await listening()
    await soon(10_000)
    refuses = false
    await soon(5_000)

    expect(states).toEqual(['connecting', 'lost', 'open'])
    stop()
  })

  test('is taken for cut when it is silent for too long', async () => {
    const { states, stop } = await listening()
    await soon(30_000)
    asked[0]?.say(': still here\n\n')
    await soon(30_000)
    expect(states).toEqual(['connecting', 'open'])
    await soon(15_000)
    expect(states).toEqual(['connecting', 'open', 'lost', 'open'])
    stop()
  })

  test('tells other tabs at once what came at once', async () => {
    const told: { kind: string; events?: { id: string }[] }[] = []
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        addEventListener = (): void => undefined
        close = (): void => undefined
        postMessage = (message: (typeof told)[number]): number => told.push(message)
      },
    )
    vi.stubGlobal('navigator', {
      locks: { request: (_: string, __: object, hold: () => Promise<void>) => hold() },
    })
    const { heard, stop } = await listening()
    asked[0]?.say(gone(1) + gone(2))
    await soon()
    asked[0]?.say(gone(3))
    await soon()

    const events = told.filter(({ kind }) => kind === 'events').map((one) => one.events?.map(({ id }) => id))
    expect(events).toEqual([['boot-1', 'boot-2'], ['boot-3']])
    expect(heard).toEqual(['1', '2', '3'])
    stop()
  })
})
