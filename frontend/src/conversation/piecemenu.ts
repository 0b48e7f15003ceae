/**
 * The menu of a message: one button that stands on the piece one points at or is in.
 *
 * Pieces are drawn and thrown away by the dozen, so there is one menu for all of them, and it
 * moves. Everything in it has a key as well.
 */
import { mount, unmount } from 'svelte'

import { bindingsOf, type Hands } from './bindings'
import Menu, { type Item } from './menu.svelte'

/** Let the menu follow pointer and focus; returns what ends it. */
export function followWithMenu(scroller: HTMLElement, hands: Hands): () => void {
  const host = document.createElement('div')
  host.className = 'piece-menu'
  const menu = mount(Menu, {
    target: host,
    props: { label: 'More about this message', items: itemsFor(host, hands) },
  })
  const follow = (event: Event): void => {
    const slot = event.target instanceof Element ? event.target.closest('.slot') : null
    // Moving it would take the focus from one who is in it.
    const isUsed = host.querySelector('[aria-expanded=true], :focus-visible') !== null
    if (slot && host.parentElement !== slot && !isUsed && slot.querySelector('[data-uuid]')) {
      slot.append(host)
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

function itemsFor(host: HTMLElement, hands: Hands): Item[] {
  const actions = bindingsOf(hands)
  const offered = [
    ['Copy link to this message', 'y l', actions.copyLink],
    ['Copy this message as Markdown', 'y m', actions.copyMarkdown],
    ['Unfold or fold this turn', 'x', actions.unfoldTurn],
    ['Raw record', 'r', actions.raw],
  ] as const
  return offered.flatMap(([label, key, action]) => {
    const run = typeof action === 'function' ? action : action?.run
    // The button is inside the message, and has the focus: the action is about that message.
    return run ? [{ label, key, run: () => host.isConnected && run(null) }] : []
  })
}
