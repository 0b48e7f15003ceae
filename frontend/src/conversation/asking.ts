/** The questions the conversation screen asks, each about one way through one session. */
import { get, url } from '../api'
import type {
  BodyAnswer,
  ChangesAnswer,
  ConversationAnswer,
  ExportPreview,
  FindAnswer,
  OutputAnswer,
  PiecesAnswer,
  RawAnswer,
  SessionDetails,
  TextAnswer,
} from '../wire'
import type { Params } from '../routes'

/** Which conversation: a session, a branch of it (null is the active one), or an agent's own. */
export interface Where {
  readonly session: string
  readonly tip: string | null
  readonly agent: string | null
}

function path(where: Where, rest = ''): string {
  return `/api/sessions/${encodeURIComponent(where.session)}${rest}`
}

function ask<T>(where: Where, rest: string, params: Params, signal?: AbortSignal): Promise<T> {
  return get<T>(path(where, rest), { tip: where.tip, agent: where.agent, ...params }, signal)
}

export function askConversation(where: Where, at: string | null, whole: boolean, signal?: AbortSignal) {
  return ask<ConversationAnswer>(where, '/conversation', { at, ...(whole ? { whole: true } : {}) }, signal)
}

export function askFacts(where: Where, signal?: AbortSignal) {
  return ask<SessionDetails>(where, '', {}, signal)
}

export function askPieces(where: Where, from: number, count: number, revision: string) {
  return ask<PiecesAnswer>(where, '/pieces', { from, count, revision })
}

export function askChanges(where: Where, since: string) {
  return ask<ChangesAnswer>(where, '/changes', { since })
}

export async function askBody(where: Where, key: string): Promise<string> {
  return (await ask<BodyAnswer>(where, '/body', { key })).html
}

export function askFind(where: Where, q: string, scope: 'branch' | 'all', signal?: AbortSignal) {
  return ask<FindAnswer>(where, '/find', { q, scope }, signal)
}

export function askRaw(where: Where, of: { uuid?: string; offset?: number }) {
  return get<RawAnswer>(path(where, '/raw'), { agent: where.agent, ...of })
}

export function askOutput(where: Where, name: string, from: number, count: number, agent: string | null) {
  return get<OutputAnswer>(path(where, '/output'), { name, from, count, agent })
}

export async function askMarkdown(where: Where, uuid: string | null): Promise<string> {
  return (await ask<TextAnswer>(where, '/markdown', { uuid })).text
}

/** What a document would hold. */
export interface Wanted {
  readonly to: 'md' | 'html' | 'json'
  readonly thinking: boolean
  readonly tools: boolean
  readonly results: boolean
  readonly agents: boolean
  readonly redact: boolean
  readonly emails: boolean
}

export function askPreview(where: Where, wanted: Wanted, signal?: AbortSignal) {
  return ask<ExportPreview>(where, '/export/preview', { ...wanted }, signal)
}

/** The address a document is saved from. */
export function exportAddress(where: Where, wanted: Wanted): string {
  return url(path(where, '/export'), { tip: where.tip, agent: where.agent, ...wanted })
}
