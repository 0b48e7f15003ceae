/** Makes the pieces of a preview work: folds load what is in them, links lead into the conversation. */
import { sentence } from '../api'
import { askBody, type Where } from '../conversation/asking'
import { Folds } from '../conversation/folds'
import { conversation, go } from '../routes'
import type { SearchHit } from '../wire'
import { hitPath } from './hits'
import { markWords } from './marking'

export function glance(
  hit: SearchHit,
  where: Where,
  words: readonly string[],
): (element: HTMLElement) => () => void {
  return (element) => {
    let unmark = markWords(element, words, true)
    const folds = new Folds({
      body: (key) => askBody(where, key),
      holding: (change) => change(),
      words: sentence,
      loaded: () => {
        unmark()
        unmark = markWords(element, words, false)
      },
    })
    const toggled = (event: Event): void => {
      if (event.target instanceof HTMLDetailsElement) {
        folds.toggled(event.target)
      }
    }
    const pressed = (event: MouseEvent): void => {
      const asked =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-go], [data-do]') : null
      if (asked) {
        event.preventDefault()
        const uuid = asked.dataset['go']
        go(uuid ? conversation(hit.session, { at: uuid, agent: hit.agent }) : hitPath(hit))
      }
    }
    folds.dress(element)
    element.addEventListener('toggle', toggled, true)
    element.addEventListener('click', pressed)
    return () => {
      unmark()
      element.removeEventListener('toggle', toggled, true)
      element.removeEventListener('click', pressed)
    }
  }
}
