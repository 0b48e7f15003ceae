/**
 * Questions to the server: one shape of errors, answers that did not change are not sent again.
 *
 * Answers are shared and must not be changed by those who get them.
 */
import type { Params } from './routes.svelte'
import type { NearSession } from './wire'

/** What the server said went wrong, in its own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string | null = null,
    /** The place in a query that makes no sense. */
    readonly at: number | null = null,
    /** All of the answer, where an error says more than others. */
    readonly answer: unknown = null,
    /** Sessions that an id may have meant. */
    readonly near: readonly NearSession[] = [],
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

/** Nobody answered: the server has stopped, or the way to it is cut. */
export class UnreachableError extends ApiError {
  constructor() {
    super(0, 'unreachable', 'bough does not answer.', 'Start it again with bough web.')
    this.name = 'Unreachable'
  }
}

interface CachedAnswer {
  readonly etag: string
  readonly value: unknown
}

const CACHED_ANSWERS = 60
const LARGEST_CACHED = 300_000
const cache = new Map<string, CachedAnswer>()
const failed = new Set<() => void>()

/** Be told when a question got no answer at all. */
export function onUnreachable(handler: () => void): () => void {
  failed.add(handler)
  return () => failed.delete(handler)
}

export function buildUrl(path: string, params: Params = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== '') {
      query.set(name, value === true ? '1' : value === false ? '0' : String(value))
    }
  }
  const text = query.toString()
  return text ? `${path}?${text}` : path
}

/**
 * Asks for what a person caused (a wrong query, an address that is gone) as an answer with its status
 * in this header: a browser writes a refused request to the console, as if the page had failed.
 */
const STATUS = 'X-Bough-Status'

/** Sent with a query that a person typed; without it the server runs no pattern. */
export const TYPED: Readonly<Record<string, string>> = { 'X-Bough-Pattern': 'run' }

export async function getJson<T>(
  path: string,
  params: Params = {},
  signal?: AbortSignal,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  const asked = buildUrl(path, params)
  const known = cache.get(asked)
  const headers: Record<string, string> = { ...more, [STATUS]: 'answer' }
  if (known) {
    headers['If-None-Match'] = known.etag
  }
  const response = await send(asked, { headers, signal: signal ?? null, cache: 'no-store' })
  if (response.status === 304 && known) {
    return known.value as T
  }
  const text = await response.text()
  const value = parseAnswer(response, text)
  const etag = response.headers.get('ETag')
  if (etag && text.length <= LARGEST_CACHED) {
    cacheAnswer(asked, { etag, value })
  }
  return value as T
}

/** Send something that changes what the server keeps; it carries the token of this start. */
export async function postJson<T>(
  path: string,
  body: unknown = {},
  signal?: AbortSignal,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  const post = async (): Promise<T> => {
    const response = await send(path, {
      method: 'POST',
      headers: { ...more, 'Content-Type': 'application/json', 'X-Bough-Token': token() },
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
    return parseAnswer(response, await response.text()) as T
  }
  try {
    return await post()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'no_token' && (await renewToken())) {
      return await post()
    }
    throw error
  }
}

/** Take the token of a server that was started again from its page; tells whether it is another one. */
async function renewToken(): Promise<boolean> {
  const page = await (await send('/', { cache: 'no-store' })).text()
  const given = /name="bough-token" content="([^"]+)"/.exec(page)?.[1]
  if (given === undefined || given === token()) {
    return false
  }
  document.querySelector('meta[name="bough-token"]')?.setAttribute('content', given)
  return true
}

/** Tell whether an error only says that nobody wants the answer any more. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** Put an error into words, whatever it is. */
export function describeError(error: unknown): string {
  return error instanceof ApiError ? error.message : `Something in this page failed: ${String(error)}`
}

/** Say in the head of a page about a session why nothing of it is shown. */
export function nameFailure(error: unknown): string {
  if (error instanceof ApiError && error.code === 'ambiguous_session') {
    return 'Which session?'
  }
  return error instanceof ApiError && error.status === 404 ? 'Not found' : 'Not opened'
}

export function token(): string {
  const meta = document.querySelector('meta[name="bough-token"]')
  return meta?.getAttribute('content') ?? ''
}

async function send(asked: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(asked, { ...init, credentials: 'same-origin' })
  } catch (error) {
    if (isAbort(error)) {
      throw error
    }
    for (const handler of failed) {
      handler()
    }
    throw new UnreachableError()
  }
}

function parseAnswer(response: Response, text: string): unknown {
  let value: unknown
  try {
    value = text ? JSON.parse(text) : null
  } catch {
    throw new ApiError(response.status, 'not_json', `The server answered ${response.status} without JSON.`)
  }
  const status = Number(response.headers.get(STATUS) ?? response.status)
  if (status >= 400) {
    if (field(field(value, 'error'), 'code') === 'not_logged_in') {
      location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
    }
    throw toApiError(status, value)
  }
  return value
}

function toApiError(status: number, value: unknown): ApiError {
  const error = field(value, 'error')
  const at = field(error, 'at')
  return new ApiError(
    status,
    text(field(error, 'code')) ?? 'failed',
    text(field(error, 'message')) ?? `The server answered ${status}.`,
    text(field(error, 'hint')),
    typeof at === 'number' ? at : null,
    value,
    (field(error, 'near') as readonly NearSession[] | undefined) ?? [],
  )
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function cacheAnswer(asked: string, answer: CachedAnswer): void {
  cache.delete(asked)
  cache.set(asked, answer)
  const oldest = cache.keys().next()
  if (cache.size > CACHED_ANSWERS && !oldest.done) {
    cache.delete(oldest.value)
  }
}
