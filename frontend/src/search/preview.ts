/** Makes the pieces of a preview work: folds load what is in them, links lead into the conversation. */
import { describeError } from '../api'
import { fetchBody, type ConversationRef } from '../conversation/data/requests'
import { Folds } from '../conversation/list/folds'
import { conversationAddress, goTo } from '../routes.svelte'
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
    const folds = new Folds({
      fetchBody: (key) => fetchBody(conversation, key),
      changeContent: (change) => change(),
      describeError,
      onLoaded: () => {
        unmark()
        unmark = markWords(element, words, false)
      },
    })
    const toggled = (event: Event): void => {
      if (event.target instanceof HTMLDetailsElement) {
        folds.noteToggle(event.target)
      }
    }
    const pressed = (event: MouseEvent): void => {
      const asked =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-go], [data-do]') : null
      if (asked) {
        event.preventDefault()
        const uuid = asked.dataset['go']
        goTo(uuid ? conversationAddress(hit.session, { at: uuid, agent: hit.agent }) : hitAddress(hit))
      }
    }
    folds.apply(element)
    element.addEventListener('toggle', toggled, true)
    element.addEventListener('click', pressed)
    return () => {
      unmark()
      element.removeEventListener('toggle', toggled, true)
      element.removeEventListener('click', pressed)
    }
  }
}
