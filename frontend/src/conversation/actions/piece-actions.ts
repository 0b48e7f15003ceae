/**
 * What the buttons and links inside pieces do.
 *
 * Pieces are text from the server, so nothing in them listens by itself: one listener on the
 * page reads what was pressed (`data-do`, `data-go`) and does it.
 */
import { describeError } from '../../api'
import { conversationAddress, goTo } from '../../routes.svelte'
import { showToast } from '../../ui/toast.svelte'
import { fetchBody, fetchOutput } from '../data/requests'
import type { OpenConversation } from '../open-conversation.svelte'
import { copyBlock } from './copy'
import { explainTurn } from './explain-turn'
import { findLinkedAddress } from './linked-address'

/** What may lie over the page. */
export type Overlay =
  | { readonly kind: 'raw'; readonly of: { uuid?: string; offset?: number } }
  | {
      readonly kind: 'pictures'
      readonly images: readonly { src: string; alt: string }[]
      readonly at: number
    }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'present'; readonly at: string }
  | { readonly kind: 'export' | 'prompts' | 'facts' | 'health' }

export interface PieceContext {
  readonly page: OpenConversation
  readonly show: (overlay: Overlay) => void
}

type PieceAction = (button: HTMLElement, context: PieceContext) => void

/** Do what was pressed; tells whether it was ours. */
export function runPieceAction(event: Event, context: PieceContext): boolean {
  const target = event.target instanceof Element ? event.target : null
  const link = target?.closest<HTMLElement>('[data-go]')
  if (link) {
    event.preventDefault()
    const uuid = link.dataset['go']
    if (uuid) {
      const { session, tip, agent } = context.page.ref
      leavePage(context.page, conversationAddress(session, { tip, agent, at: uuid }))
    }
    return true
  }
  const button = target?.closest<HTMLElement>('[data-do]')
  const address = button ? findLinkedAddress(button, context.page.ref) : null
  if (address !== null) {
    event.preventDefault()
    leavePage(context.page, address)
    return true
  }
  const action = button ? PIECE_ACTIONS[button.dataset['do'] ?? ''] : undefined
  if (button && action) {
    event.preventDefault()
    action(button, context)
    return true
  }
  return false
}

/** Read another branch from where it left; null is the active one. */
export function goToBranch(page: OpenConversation, tip: string | null): void {
  const { session, agent } = page.ref
  leavePage(page, conversationAddress(session, { tip, agent }))
}

function leavePage(page: OpenConversation, address: string): void {
  page.savePosition()
  goTo(address)
}

const PIECE_ACTIONS: Readonly<Record<string, PieceAction>> = {
  copy: (button) => void copyBlock(button),
  raw: (button, { show }) => show({ kind: 'raw', of: findRecord(button) }),
  file: (button, { show }) => show({ kind: 'file', path: button.dataset['path'] ?? '' }),
  lightbox: (button, { page, show }) => {
    const all =
      page.list
        ?.elements()
        .flatMap((row) => [...row.querySelectorAll<HTMLImageElement>('img[data-picture]')]) ?? []
    const own = button.querySelector('img')
    const images = all.map((image) => ({ src: image.src, alt: image.alt }))
    show({
      kind: 'pictures',
      images,
      at: Math.max(
        0,
        all.findIndex((image) => image === own),
      ),
    })
  },
  cost: (button, { page }) => explainTurn(button, page.ref, `A turn of ${page.title}`),
  load: (button, { page }) => void loadPieces(button, page),
  output: (button, { page }) => void loadOutput(button, page),
  again: (button, { page }) => page.retryPiece(button.closest<HTMLElement>('.slot')?.dataset['piece'] ?? ''),
}

function findRecord(button: HTMLElement): { uuid?: string; offset?: number } {
  const { uuid, offset } = button.dataset
  return offset
    ? { offset: Number(offset) }
    : { uuid: uuid ?? button.closest<HTMLElement>('[data-uuid]')?.dataset['uuid'] ?? '' }
}

/** Put what a button stands for into its place: the further pieces of an agent. */
async function loadPieces(button: HTMLElement, page: OpenConversation): Promise<void> {
  const key = button.dataset['body']
  if (!key || !(button instanceof HTMLButtonElement)) {
    return
  }
  button.disabled = true
  try {
    const made = document.createElement('template')
    made.innerHTML = await fetchBody(page.ref, key)
    page.folds.apply(made.content)
    page.list?.changeContent(() => button.replaceWith(made.content))
  } catch (error) {
    button.disabled = false
    showToast(describeError(error), { failed: true })
  }
}

const OUTPUT_PART = 200_000

/** Show the next part of an output that is kept in a file of its own. */
async function loadOutput(button: HTMLElement, page: OpenConversation): Promise<void> {
  const { name, from = '0', agent = page.ref.agent } = button.dataset
  if (!name || !(button instanceof HTMLButtonElement)) {
    return
  }
  button.disabled = true
  try {
    const answer = await fetchOutput(page.ref, name, Number(from), OUTPUT_PART, agent)
    page.list?.changeContent(() => {
      const text = document.createElement('pre')
      text.className = 'out'
      text.textContent = answer.text
      button.before(text)
      if (answer.to >= answer.bytes) {
        button.remove()
      } else {
        button.dataset['from'] = String(answer.to)
        button.textContent = `Show more, ${Math.ceil((answer.bytes - answer.to) / 1_000).toLocaleString('en')} kB left`
        button.disabled = false
      }
    })
  } catch (error) {
    button.disabled = false
    showToast(describeError(error), { failed: true })
  }
}
