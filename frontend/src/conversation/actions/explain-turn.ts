/** A turn says at its end what it cost; pressed, that says where it comes from. */
import { openExplanation } from '../../explanation/explained-cost.svelte'
import type { ConversationRef } from '../data/requests'

export function explainTurn(button: HTMLElement, conversation: ConversationRef, title: string): void {
  const { session, tip, agent, until } = conversation
  openExplanation({ title, session, tip, agent, to: until, part: 'turn', at: button.dataset['at'] })
}
