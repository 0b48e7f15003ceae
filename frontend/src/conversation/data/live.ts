/**
 * What happens while a conversation is read: changes are asked for, states are taken over.
 *
 * Events only say that something is new; what is new is asked for from the revision the page
 * has. So a cut connection costs one more question, and nothing comes twice or is missed.
 */
import { onConnection, onEvent } from '../../events.svelte'
import { announce } from '../../ui/announce.svelte'
import type { LiveMessage } from '../../wire'
import type { OpenConversation } from '../open-conversation.svelte'

/** Listen for a session; returns what ends it. */
export function followSession(page: OpenConversation, session: string): () => void {
  let lost = false
  // An address may have only the beginning of an id; events have all of it.
  const isOwn = (id: string): boolean => id === (page.info.facts?.row.id ?? session)
  const offs = [
    onEvent('change', (change) => {
      const isRead = change.agent === null || change.agent === page.ref.agent
      if (isOwn(change.session) && isRead) {
        void page.updates.check()
      }
    }),
    onEvent('live', ({ session: row }) => {
      if (isOwn(row.id)) {
        page.info.live = row
      }
    }),
    onEvent('gone', (gone) => {
      if (isOwn(gone.session) && gone.deleted) {
        page.info.isGone = true
      }
    }),
    onEvent('said', (said) => {
      if (isOwn(said.session) && said.agent === page.ref.agent) {
        announce(describeMessage(said))
      }
    }),
    onEvent('reset', () => void page.updates.check()),
    onConnection((now) => {
      if (now === 'open' && lost) {
        void page.updates.check()
      }
      lost = now === 'lost' || (lost && now !== 'open')
    }),
  ]
  return () => offs.forEach((off) => off())
}

/** Say in one sentence what happened: Claude ran pytest, failed. */
export function describeMessage(said: Pick<LiveMessage, 'kind' | 'words' | 'tool' | 'failed'>): string {
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
