/** The questions the conversation screen asks, each about one conversation of a session. */
import { getJson, buildUrl } from '../../api'
import type { Params } from '../../routes.svelte'
import type {
  BodyAnswer,
  ChangesAnswer,
  ConversationAnswer,
  ExportPreview,
  FindAnswer,
  OutputAnswer,
  PiecesAnswer,
  PresentationAnswer,
  RawAnswer,
  SessionDetails,
  SlidesAnswer,
  TextAnswer,
} from '../../wire'

/**
 * Which conversation: a session, a branch of it (null is the active one), or an agent's own; with `until`
 * it ends with that message, wherever its branch goes on to.
 */
export interface ConversationRef {
  readonly session: string
  readonly tip: string | null
  readonly agent: string | null
  readonly until?: string | null
}

function apiPath(ref: ConversationRef, rest = ''): string {
  return `/api/sessions/${encodeURIComponent(ref.session)}${rest}`
}

function request<T>(ref: ConversationRef, rest: string, params: Params, signal?: AbortSignal): Promise<T> {
  return getJson<T>(
    apiPath(ref, rest),
    { tip: ref.tip, agent: ref.agent, until: ref.until, ...params },
    signal,
  )
}

export function fetchConversation(
  ref: ConversationRef,
  at: string | null,
  whole: boolean,
  signal?: AbortSignal,
) {
  return request<ConversationAnswer>(ref, '/conversation', { at, ...(whole ? { whole: true } : {}) }, signal)
}

export function fetchFacts(ref: ConversationRef, signal?: AbortSignal) {
  return request<SessionDetails>(ref, '', {}, signal)
}

export function fetchPieces(ref: ConversationRef, from: number, count: number, revision: string) {
  return request<PiecesAnswer>(ref, '/pieces', { from, count, revision })
}

export function fetchChanges(ref: ConversationRef, since: string) {
  return request<ChangesAnswer>(ref, '/changes', { since })
}

export async function fetchBody(ref: ConversationRef, key: string): Promise<string> {
  return (await request<BodyAnswer>(ref, '/body', { key })).html
}

export function fetchMatches(ref: ConversationRef, q: string, scope: 'branch' | 'all', signal?: AbortSignal) {
  return request<FindAnswer>(ref, '/find', { q, scope }, signal)
}

export function fetchRaw(ref: ConversationRef, of: { uuid?: string; offset?: number }) {
  return getJson<RawAnswer>(apiPath(ref, '/raw'), { agent: ref.agent, ...of })
}

export function fetchOutput(
  ref: ConversationRef,
  name: string,
  from: number,
  count: number,
  agent: string | null,
) {
  return getJson<OutputAnswer>(apiPath(ref, '/output'), { name, from, count, agent })
}

export async function fetchMarkdown(ref: ConversationRef, uuid: string | null): Promise<string> {
  return (await request<TextAnswer>(ref, '/markdown', { uuid })).text
}

export function fetchPresentation(ref: ConversationRef, at: string, redact: boolean) {
  return request<PresentationAnswer>(ref, '/presentation', { at, redact })
}

/** Which slides are meant: those of a revision, with secrets hidden or not. */
type SlidesRef = Pick<PresentationAnswer, 'revision' | 'redacted'>

export function fetchSlides(ref: ConversationRef, of: SlidesRef, from: number, count: number) {
  const { revision, redacted } = of
  return request<SlidesAnswer>(ref, '/slides', { from, count, revision, redact: redacted })
}

export async function fetchSlideBody(ref: ConversationRef, of: SlidesRef, key: string): Promise<string> {
  const { revision, redacted } = of
  return (await request<BodyAnswer>(ref, '/slides/body', { key, revision, redact: redacted })).html
}

/** What a document would hold. */
export interface ExportOptions {
  readonly to: 'md' | 'html' | 'json' | 'present'
  readonly thinking: boolean
  readonly tools: boolean
  readonly results: boolean
  readonly agents: boolean
  readonly redact: boolean
  readonly emails: boolean
}

export function fetchExportPreview(ref: ConversationRef, options: ExportOptions, signal?: AbortSignal) {
  return getJson<ExportPreview>(apiPath(ref, '/export/preview'), exportParams(ref, options), signal)
}

/** The address a document is saved from. */
export function exportUrl(ref: ConversationRef, options: ExportOptions): string {
  return buildUrl(apiPath(ref, '/export'), exportParams(ref, options))
}

/** A document shows a branch as a whole, also where a part of it is read. */
function exportParams(ref: ConversationRef, options: ExportOptions): Params {
  return { tip: ref.tip ?? ref.until, agent: ref.agent, ...options }
}
