/** Makes the pieces of a preview work, with the words that were searched for marked. */
import type { ConversationRef } from '../conversation/data/requests'
import { attachPieces } from '../conversation/list/attached-pieces'
import { conversationAddress } from '../routes.svelte'
import type { SearchHit } from '../wire'
import { hitAddress } from './hit-list.svelte'
import { markWords } from './word-highlights'

export function attachPreview(
  hit: SearchHit,
  conversation: ConversationRef,
  words: readonly string[],
): (element: HTMLElement) => () => void {
  return (element) => {
    let unmark = markWords(element, words, true)
    const detach = attachPieces(element, {
      conversation,
      addressOf: (uuid) =>
        uuid ? conversationAddress(hit.session, { at: uuid, agent: hit.agent }) : hitAddress(hit),
      onLoaded: () => {
        unmark()
        unmark = markWords(element, words, false)
      },
    })
    return () => {
      unmark()
      detach()
    }
  }
}
