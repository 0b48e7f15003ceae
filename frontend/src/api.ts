/**
 * Questions to the server: one shape of errors, answers that did not change are not sent again.
 *
 * Answers are shared and must not be changed by those who get them.
 */
import type { Params } from './routes'

/** What the server said went wrong, in its own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string | null = null,
    /** The place in a query that makes no sense. */
    readonly at: number | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

/** Nobody answered: the server has stopped, or the way to it is cut. */
export class Unreachable extends ApiError {
  constructor() {
    super(0, 'unreachable', 'bough does not answer.', 'Start it again with bough web.')
    this.name = 'Unreachable'
  }
}

interface Kept {
  readonly etag: string
  readonly value: unknown
}

const KEPT_ANSWERS = 60
const LARGEST_KEPT = 300_000
const kept = new Map<string, Kept>()
const failed = new Set<() => void>()

/** Be told when a question got no answer at all. */
export function onUnreachable(told: () => void): () => void {
  failed.add(told)
  return () => failed.delete(told)
}

export function url(path: string, params: Params = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== '') {
      query.set(name, value === true ? '1' : value === false ? '0' : String(value))
    }
  }
  const text = query.toString()
  return text ? `${path}?${text}` : path
}

export async function get<T>(path: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
  const asked = url(path, params)
  const known = kept.get(asked)
  const headers: Record<string, string> = known ? { 'If-None-Match': known.etag } : {}
  const response = await asking(asked, { headers, signal: signal ?? null, cache: 'no-store' })
  if (response.status === 304 && known) {
    return known.value as T
  }
  const text = await response.text()
  const value = read(response, text)
  const etag = response.headers.get('ETag')
  if (etag && text.length <= LARGEST_KEPT) {
    keep(asked, { etag, value })
  }
  return value as T
}

/** Send something that changes what the server keeps; it carries the token of this start. */
export async function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  const response = await asking(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Bough-Token': token() },
    body: JSON.stringify(body),
    signal: signal ?? null,
  })
  return read(response, await response.text()) as T
}

/** Tell whether an error only says that nobody wants the answer any more. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** Put an error into words, whatever it is. */
export function sentence(error: unknown): string {
  return error instanceof ApiError ? error.message : `Something in this page failed: ${String(error)}`
}

export function token(): string {
  const meta = document.querySelector('meta[name="bough-token"]')
  return meta?.getAttribute('content') ?? ''
}

async function asking(asked: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(asked, { ...init, credentials: 'same-origin' })
  } catch (error) {
    if (isAbort(error)) {
      throw error
    }
    for (const told of failed) {
      told()
    }
    throw new Unreachable()
  }
}

function read(response: Response, text: string): unknown {
  let value: unknown
  try {
    value = text ? JSON.parse(text) : null
  } catch {
    throw new ApiError(response.status, 'not_json', `The server answered ${response.status} without JSON.`)
  }
  if (!response.ok) {
    throw problem(response.status, value)
  }
  return value
}

function problem(status: number, value: unknown): ApiError {
  const error = field(value, 'error')
  const at = field(error, 'at')
  return new ApiError(
    status,
    text(field(error, 'code')) ?? 'failed',
    text(field(error, 'message')) ?? `The server answered ${status}.`,
    text(field(error, 'hint')),
    typeof at === 'number' ? at : null,
  )
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function keep(asked: string, answer: Kept): void {
  kept.delete(asked)
  kept.set(asked, answer)
  const oldest = kept.keys().next()
  if (kept.size > KEPT_ANSWERS && !oldest.done) {
    kept.delete(oldest.value)
  }
}
