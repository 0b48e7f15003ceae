/**
 * The change that is being previewed: whatever offers one opens the same dialog.
 *
 * Nothing is written before the dialog was confirmed; who shows what may have changed is told then.
 */
import { postJson, ApiError } from '../api'
import { showToast, writeClipboard } from '../ui/toast.svelte'
import type { AppliedAnswer, PlanPreview, TravelAnswer } from '../wire'
import type { TravelRequest } from './words'

let wanted = $state.raw<TravelRequest | null>(null)
const handlers = new Set<(applied: AppliedAnswer) => void>()

export const travel = {
  /** What is previewed; null most of the time. */
  get wanted(): TravelRequest | null {
    return wanted
  },
}

/** Show what a change would do. */
export function openTravel(body: TravelRequest): void {
  wanted = body
}

export function closeTravel(): void {
  wanted = null
}

/** Show what taking back an operation would do; without a number, the last one. */
export function openUndo(number: number | null = null): void {
  openTravel({ operation: 'undo', number })
}

/** Be told of every change that was carried out here; returns what ends it. */
export function onApplied(handler: (applied: AppliedAnswer) => void): () => void {
  handlers.add(handler)
  return () => handlers.delete(handler)
}

/** What a person caused is an answer here, and no failure of the page. */
const STATUS = { 'X-Bough-Status': 'answer' }

export function fetchPreview(body: TravelRequest, signal: AbortSignal): Promise<TravelAnswer> {
  return postJson<TravelAnswer>('/api/travel/preview', body, signal, STATUS)
}

/** Carry out the plan that was shown. */
export function applyPlan({ plan, digest }: PlanPreview): Promise<AppliedAnswer> {
  return postJson<AppliedAnswer>('/api/travel/apply', { plan, digest }, undefined, STATUS)
}

/** The preview that came with a refusal, where a file had changed meanwhile. */
export function newPreviewOf(error: unknown): PlanPreview | null {
  const answer = error instanceof ApiError ? error.answer : null
  return typeof answer === 'object' && answer !== null && 'preview' in answer
    ? (answer.preview as PlanPreview | null)
    : null
}

const DONE: Readonly<Record<PlanPreview['operation'], string>> = {
  fork: 'Forked.',
  goto: 'This branch is active now.',
  rename: 'Renamed.',
  repair: 'Repaired.',
  restore: 'Brought back.',
  undo: 'Taken back.',
}

/** Say what was done, with the way back, and tell everybody who shows it. */
export async function reportApplied(applied: AppliedAnswer): Promise<void> {
  for (const handler of handlers) {
    handler(applied)
  }
  const isUndo = applied.operation === 'undo'
  const words = [DONE[applied.operation], ...applied.notes]
  if (applied.resume && !isUndo) {
    const isCopied = await writeClipboard(applied.resume)
    words.push(isCopied ? 'Resume command copied.' : applied.resume, applied.resume_note)
  }
  const action = { label: 'Undo…', run: () => openUndo(applied.number) }
  showToast(words.filter(Boolean).join(' '), { action: isUndo ? null : action })
}
