/** What this bough reads and how far it is: for the first run, the indexing line and the footer. */
import { derived, readonly, writable } from 'svelte/store'

import { get as ask, post } from './api'
import { heard, on, onReturn } from './events'
import type { About, IndexStatus, ReadyAnswer } from './wire'
import { count, duration } from './words'

const state = writable<About | null>(null)
const failure = writable<unknown>(null)
export const about = readonly(state)
export const aboutFailed = readonly(failure)

/** Say how far indexing is; empty when there is nothing to say. */
export function indexSentence(index: IndexStatus): string {
  if (index.state === 'building' && index.total > 0) {
    const left = index.seconds_left === null ? '' : `, ${duration(index.seconds_left)} left`
    return `Indexing ${count(index.done)} of ${count(index.total)} files${left}. Lists are usable, search is partial.`
  }
  if (index.state === 'building') {
    return 'Indexing. Lists are usable, search is partial.'
  }
  return index.state === 'ready' ? '' : (index.sentence ?? '')
}

const isHeard = writable(false)
void heard.then(() => isHeard.set(true))
/** Whether screens can be shown: it is known what there is, and events are heard. */
export const entered = derived([state, isHeard], ([now, hears]) => now !== null && now.ready && hears)

export const indexing = derived(state, (now) => (now?.ready ? indexSentence(now.index) : ''))

export async function load(): Promise<void> {
  try {
    state.set(await ask<About>('/api/about'))
    failure.set(null)
  } catch (error) {
    failure.set(error)
  }
}

/** The person pressed "Read them". */
export async function readThem(): Promise<void> {
  const answer = await post<ReadyAnswer>('/api/ready')
  state.update((now) => now && { ...now, ready: answer.ready, index: answer.index })
}

export function start(): () => void {
  const offs = [
    on('index', ({ index }) => state.update((now) => now && { ...now, index })),
    on('reset', () => void load()),
    onReturn(() => void load()),
  ]
  void load()
  return () => offs.forEach((off) => off())
}
