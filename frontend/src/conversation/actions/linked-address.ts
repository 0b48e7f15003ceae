/** Where the buttons in pieces lead that open another branch, an agent or a message. */
import { conversationAddress } from '../../routes.svelte'
import type { ConversationRef } from '../data/requests'

/** Give the address that a button of a piece opens; null where it opens none. */
export function findLinkedAddress(button: HTMLElement, conversation: ConversationRef): string | null {
  const { session, tip, agent } = conversation
  const given = button.dataset
  if (given['do'] === 'side-branch') {
    // The active branch is what an address without a tip opens.
    const isActive = button.classList.contains('on')
    return conversationAddress(session, { tip: isActive ? null : given['tip'] || null, agent })
  }
  if (given['do'] === 'open-agent' && given['agent']) {
    return conversationAddress(session, { agent: given['agent'] })
  }
  return given['do'] === 'go' && given['uuid']
    ? conversationAddress(session, { tip, agent, at: given['uuid'] })
    : null
}
