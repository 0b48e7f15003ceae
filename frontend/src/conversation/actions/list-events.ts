/** What pointer and keyboard do inside the pieces: folds, buttons and links, the menu of a message. */
import type { PageContext } from './key-bindings'
import { runPieceAction } from './piece-actions'
import { attachPieceMenu } from './piece-menu'

/** Listen on what scrolls; returns what ends it. */
export function listenToPieces(scroller: HTMLElement, context: PageContext): () => void {
  const { page } = context
  const toggled = (event: Event): void => {
    if (event.target instanceof HTMLDetailsElement && event.target.dataset['key'] !== undefined) {
      page.folds.noteToggle(event.target)
    }
  }
  const clicked = (event: Event): void => void runPieceAction(event, context)
  scroller.addEventListener('toggle', toggled, true)
  scroller.addEventListener('click', clicked)
  const detachMenu = attachPieceMenu(scroller, context)
  return () => {
    detachMenu()
    scroller.removeEventListener('toggle', toggled, true)
    scroller.removeEventListener('click', clicked)
  }
}
