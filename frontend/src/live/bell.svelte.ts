/**
 * The bell: a sound and a notice when a session begins to wait or fails. Silent until somebody
 * presses it, and in each browser for itself.
 */
import { untrack } from 'svelte'

import { Setting } from '../settings.svelte'
import { describeState } from '../ui/state-words'
import type { LiveSession } from '../wire'
import { live } from './live-sessions.svelte'

export type Bell = 'off' | 'waiting' | 'both'

export const bell = new Setting<Bell>('bell', 'off', ['off', 'waiting', 'both'])

/** Set the bell; asking the browser for leave needs the press that leads here. */
export async function setBell(value: Bell): Promise<void> {
  bell.value = value
  if (value !== 'off' && 'Notification' in globalThis && Notification.permission === 'default') {
    await Notification.requestPermission()
  }
}

/** List what began to ask for attention between two looks. */
export function findAlerts(
  before: readonly LiveSession[],
  after: readonly LiveSession[],
  wanted: Bell,
): LiveSession[] {
  const was = new Map(before.map((one) => [one.id, one.state]))
  const rings = wanted === 'both' ? ['waiting', 'failed'] : wanted === 'waiting' ? ['waiting'] : []
  return after.filter((one) => rings.includes(one.state) && was.has(one.id) && was.get(one.id) !== one.state)
}

/** Ring when something begins to ask for attention. Returns what ends it. */
export function start(): () => void {
  let before: readonly LiveSession[] | null = null
  return $effect.root(() => {
    $effect(() => {
      const { sessions } = live
      if (sessions && before) {
        findAlerts(
          before,
          sessions,
          untrack(() => bell.value),
        ).forEach(ring)
      }
      before = sessions
    })
  })
}

function ring(row: LiveSession): void {
  const { word } = describeState(row.state, row.sure)
  playTones()
  if ('Notification' in globalThis && Notification.permission === 'granted' && document.hidden) {
    // The tag makes several tabs show one notice.
    new Notification(`${word}: ${row.title}`, {
      body: row.asks ?? '',
      tag: `bough ${row.id} ${row.since ?? ''}`,
    })
  }
}

/** Two short tones; no file is fetched for them. */
function playTones(): void {
  if (!('AudioContext' in globalThis)) {
    return
  }
  const audio = new AudioContext()
  const volume = audio.createGain()
  volume.gain.value = 0.06
  volume.connect(audio.destination)
  ;[660, 880].forEach((pitch, at) => {
    const tone = audio.createOscillator()
    tone.frequency.value = pitch
    tone.connect(volume)
    tone.start(audio.currentTime + at * 0.14)
    tone.stop(audio.currentTime + at * 0.14 + 0.12)
  })
  setTimeout(() => void audio.close(), 600)
}
