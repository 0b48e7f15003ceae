/** What this bough reads and how far it is: for the first run, the indexing line and the footer. */
import { getJson, postJson } from './api'
import { eventsReady, onEvent, onReturn } from './events.svelte'
import { formatCount, formatDuration } from './formats'
import { applyPageSettings } from './settings.svelte'
import { team } from './team.svelte'
import type { About, IndexStatus, ReadyAnswer } from './wire'

/** Say how far indexing is; empty when there is nothing to say. */
export function describeIndexing(index: IndexStatus): string {
  if (index.state === 'building' && index.total > 0) {
    const left =
      index.seconds_left === null || index.seconds_left < 1
        ? ''
        : `, ${formatDuration(index.seconds_left)} left`
    return `Indexing ${formatCount(index.done)} of ${formatCount(index.total)} files${left}. Lists fill as it goes, search is partial.`
  }
  if (index.state === 'building') {
    return 'Indexing. Lists fill as it goes, search is partial.'
  }
  return index.state === 'ready' ? '' : (index.sentence ?? '')
}

class AboutState {
  value = $state.raw<About | null>(null)
  error = $state.raw<unknown>(null)
  private hasEvents = $state(false)

  constructor() {
    void eventsReady.then(() => (this.hasEvents = true))
  }

  /** Whether screens can be shown: it is known what there is, and events are heard. */
  get isEntered(): boolean {
    return this.value !== null && this.value.ready && this.hasEvents
  }

  get indexingText(): string {
    return this.value?.ready ? describeIndexing(this.value.index) : ''
  }

  async load(): Promise<void> {
    try {
      const value = await getJson<About>('/api/about')
      applyPageSettings(value.settings)
      team.update(value)
      this.value = value
      this.error = null
    } catch (error) {
      this.error = error
    }
  }

  /** The person pressed "Read them"; only then is it said whether something is to be asked. */
  async confirmReading(): Promise<void> {
    const answer = await postJson<ReadyAnswer>('/api/ready')
    this.value = this.value && { ...this.value, ready: answer.ready, index: answer.index }
    void this.load()
  }
}

export const about = new AboutState()

/** Keep it current. Returns what ends it. */
export function start(): () => void {
  const offs = [
    onEvent('index', ({ index }) => (about.value = about.value && { ...about.value, index })),
    onEvent('reset', () => void about.load()),
    onReturn(() => void about.load()),
  ]
  void about.load()
  return () => offs.forEach((off) => off())
}
