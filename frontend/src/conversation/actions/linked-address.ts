/** Where the buttons in pieces lead that open another branch, an agent or a message. */
import { conversationAddress } from '../../routes.svelte'
import type { ConversationRef } from '../data/requests'

/** Give the address that a button of a piece opens; null where it opens none. */
export function findLinkedAddress(button: HTMLElement, conversation: ConversationRef): string | null {
  const { session, tip, agent } = conversation
  const { dataset } = button
  switch (dataset['do']) {
    case 'go':
      return dataset['uuid'] ? conversationAddress(session, { tip, agent, at: dataset['uuid'] }) : null
    case 'side-branch': {
      // The active branch is what an address without a tip opens.
      const isActive = button.classList.contains('on')
      return conversationAddress(session, { tip: isActive ? null : dataset['tip'] || null, agent })
    }
    case 'open-agent':
      return dataset['agent'] ? conversationAddress(session, { agent: dataset['agent'] }) : null
    default:
      return null
  }
}
