/**
 * Makes pieces work where they are read outside the conversation's own list, as in a preview: folds
 * load what is in them, costs are explained, links lead into the conversation.
 */
import { describeError } from '../../api'
import { copyBlock } from '../actions/copy'
import { explainTurn } from '../actions/explain-turn'
import { findLinkedAddress } from '../actions/linked-address'
import { goTo } from '../../routes.svelte'
import { fetchBody, type ConversationRef } from '../data/requests'
import { Folds } from './folds'

export interface AttachedPieces {
  readonly conversation: ConversationRef
  /** Where a link leads; null is one that names no message. */
  readonly addressOf: (uuid: string | null) => string
  readonly onLoaded?: () => void
}

/** Attach to the element that holds the pieces; the answer takes everything off again. */
export function attachPieces(element: HTMLElement, pieces: AttachedPieces): () => void {
  const folds = new Folds({
    fetchBody: (key) => fetchBody(pieces.conversation, key),
    changeContent: (change) => change(),
    describeError,
    onLoaded: () => pieces.onLoaded?.(),
  })
  const toggled = (event: Event): void => {
    if (event.target instanceof HTMLDetailsElement) {
      folds.noteToggle(event.target)
    }
  }
  const pressed = (event: MouseEvent): void => {
    const asked =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-go], [data-do]') : null
    if (asked?.dataset['do'] === 'copy') {
      void copyBlock(asked)
    } else if (asked?.dataset['do'] === 'cost') {
      explainTurn(asked, pieces.conversation, 'A turn of this session')
    } else if (asked) {
      event.preventDefault()
      goTo(findLinkedAddress(asked, pieces.conversation) ?? pieces.addressOf(asked.dataset['go'] || null))
    }
  }
  folds.apply(element)
  element.addEventListener('toggle', toggled, true)
  element.addEventListener('click', pressed)
  return () => {
    element.removeEventListener('toggle', toggled, true)
    element.removeEventListener('click', pressed)
  }
}
