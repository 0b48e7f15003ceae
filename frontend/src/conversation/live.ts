/**
 * What happens while a conversation is read: changes are asked for, states are taken over.
 *
 * Events only say that something is new; what is new is asked for from the revision the page
 * has. So a cut connection costs one more question, and nothing comes twice or is missed.
 */
import { connection, on } from '../events'
import { announce } from '../ui/announce'
import type { LiveMessage } from '../wire'
import type { Reader } from './reader.svelte'

/** Listen for a session; returns what ends it. */
export function listen(reader: Reader, session: string): () => void {
  let lost = false
  const offs = [
    on('change', (change) => {
      const own = change.agent === null || change.agent === reader.where.agent
      if (change.session === session && own) {
        void reader.catchUp()
      }
    }),
    on('live', ({ session: row }) => {
      if (row.id === session) {
        reader.sheet.live = row
      }
    }),
    on('gone', (gone) => {
      if (gone.session === session && gone.deleted) {
        reader.sheet.isGone = true
      }
    }),
    on('said', (said) => {
      if (said.session === session && said.agent === reader.where.agent) {
        announce(spoken(said))
      }
    }),
    on('reset', () => void reader.catchUp()),
    connection.subscribe((now) => {
      if (now === 'open' && lost) {
        void reader.catchUp()
      }
      lost = now === 'lost' || (lost && now !== 'open')
    }),
  ]
  return () => offs.forEach((off) => off())
}

/** Say in one sentence what happened: Claude ran pytest, failed. */
export function spoken(said: Pick<LiveMessage, 'kind' | 'words' | 'tool' | 'failed'>): string {
  const words = said.words.replace(/\s+/g, ' ').trim().slice(0, 120)
  if (said.tool) {
    const outcome = said.failed ? ', failed' : ''
    return `Claude used ${said.tool}${words ? `: ${words}` : ''}${outcome}`
  }
  if (said.kind === 'prompt') {
    return `You said: ${words}`
  }
  return said.kind === 'thinking' ? 'Claude thinks' : `Claude: ${words}`
}
