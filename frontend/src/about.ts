/** What this bough reads and how far it is: for the first run, the indexing line and the footer. */
import { derived, readonly, writable } from 'svelte/store'

import { getJson, postJson } from './api'
import { eventsReady, onEvent, onReturn } from './events'
import type { About, IndexStatus, ReadyAnswer } from './wire'
import { formatCount, formatDuration } from './formats'

const state = writable<About | null>(null)
const failure = writable<unknown>(null)
export const about = readonly(state)
export const aboutError = readonly(failure)

/** Say how far indexing is; empty when there is nothing to say. */
export function describeIndexing(index: IndexStatus): string {
  if (index.state === 'building' && index.total > 0) {
    const left = index.seconds_left === null ? '' : `, ${formatDuration(index.seconds_left)} left`
    return `Indexing ${formatCount(index.done)} of ${formatCount(index.total)} files${left}. Lists are usable, search is partial.`
  }
  if (index.state === 'building') {
    return 'Indexing. Lists are usable, search is partial.'
  }
  return index.state === 'ready' ? '' : (index.sentence ?? '')
}

const isHeard = writable(false)
void eventsReady.then(() => isHeard.set(true))
/** Whether screens can be shown: it is known what there is, and events are heard. */
export const isEntered = derived([state, isHeard], ([now, hears]) => now !== null && now.ready && hears)

export const indexingText = derived(state, (now) => (now?.ready ? describeIndexing(now.index) : ''))

export async function loadAbout(): Promise<void> {
  try {
    state.set(await getJson<About>('/api/about'))
    failure.set(null)
  } catch (error) {
    failure.set(error)
  }
}

/** The person pressed "Read them". */
export async function confirmReading(): Promise<void> {
  const answer = await postJson<ReadyAnswer>('/api/ready')
  state.update((now) => now && { ...now, ready: answer.ready, index: answer.index })
}

export function start(): () => void {
  const offs = [
    onEvent('index', ({ index }) => state.update((now) => now && { ...now, index })),
    onEvent('reset', () => void loadAbout()),
    onReturn(() => void loadAbout()),
  ]
  void loadAbout()
  return () => offs.forEach((off) => off())
}
