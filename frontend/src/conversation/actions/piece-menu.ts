/**
 * The menu of a message: one button that stands on the piece one points at or is in.
 *
 * Pieces are drawn and thrown away by the dozen, so there is one menu for all of them, and it
 * moves. Everything in it has a key as well.
 */
import { mount, unmount } from 'svelte'

import { isOffered } from '../../team.svelte'
import { createKeyActions, type PageContext } from './key-bindings'
import Menu, { type MenuItem } from './menu.svelte'

/** Let the menu follow pointer and focus; returns what ends it. */
export function attachPieceMenu(scroller: HTMLElement, context: PageContext): () => void {
  const host = document.createElement('div')
  host.className = 'piece-menu'
  const menu = mount(Menu, {
    target: host,
    props: { label: 'More about this message', items: createPieceItems(host, context) },
  })
  const follow = (event: Event): void => {
    const row = event.target instanceof Element ? event.target.closest('.slot') : null
    // Moving it would take the focus from one who is in it.
    const isUsed = host.querySelector('[aria-expanded=true], :focus-visible') !== null
    if (row && host.parentElement !== row && !isUsed && row.querySelector('[data-uuid]')) {
      row.append(host)
    }
  }
  scroller.addEventListener('pointerover', follow)
  scroller.addEventListener('focusin', follow)
  return () => {
    scroller.removeEventListener('pointerover', follow)
    scroller.removeEventListener('focusin', follow)
    void unmount(menu)
  }
}

function createPieceItems(host: HTMLElement, context: PageContext): MenuItem[] {
  const actions = createKeyActions(context)
  const offered = [
    ['Fork from here…', 'f', 'fork'],
    ['Make this the active branch…', 'm', 'makeActive'],
    ['Copy link to this message', 'y l', 'copyLink'],
    ['Copy this message as Markdown', 'y m', 'copyMarkdown'],
    ['Star this message, or take its star', '*', 'star'],
    ['Write a note on this message…', 'M', 'note'],
    ['Unfold or fold this turn', 'x', 'unfoldTurn'],
    ['Raw record', 'r', 'raw'],
  ] as const
  return offered
    .filter(([, , name]) => isOffered(name))
    .flatMap(([label, key, name]) => {
      const action = actions[name]
      const run = typeof action === 'function' ? action : action?.run
      // The button is inside the message, and has the focus: the action is about that message.
      return run ? [{ label, key, run: () => host.isConnected && run(null) }] : []
    })
}
