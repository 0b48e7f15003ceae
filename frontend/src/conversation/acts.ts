/**
 * What the buttons and links inside pieces do.
 *
 * Pieces are text from the server, so nothing in them listens by itself: one listener on the
 * page reads what was pressed (`data-do`, `data-go`) and does it.
 */
import { sentence } from '../api'
import { conversation, go } from '../routes'
import { copy, toast } from '../ui/toast'
import { askBody, askOutput } from './asking'
import type { Reader } from './reader.svelte'

/** What may lie over the page. */
export type Over =
  | { readonly kind: 'raw'; readonly of: { uuid?: string; offset?: number } }
  | {
      readonly kind: 'pictures'
      readonly images: readonly { src: string; alt: string }[]
      readonly at: number
    }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'export' | 'prompts' | 'facts' }

export interface Deeds {
  readonly reader: Reader
  readonly show: (over: Over) => void
}

type Deed = (button: HTMLElement, deeds: Deeds) => void

/** Do what was pressed; tells whether it was ours. */
export function act(event: Event, deeds: Deeds): boolean {
  const target = event.target instanceof Element ? event.target : null
  const link = target?.closest<HTMLElement>('[data-go]')
  if (link) {
    event.preventDefault()
    goTo(deeds.reader, link.dataset['go'] ?? '')
    return true
  }
  const button = target?.closest<HTMLElement>('[data-do]')
  const deed = button ? DEEDS[button.dataset['do'] ?? ''] : undefined
  if (button && deed) {
    event.preventDefault()
    deed(button, deeds)
    return true
  }
  return false
}

/** Take a step to a message of this conversation. */
export function goTo(reader: Reader, uuid: string): void {
  const { session, tip, agent } = reader.where
  if (uuid) {
    reader.note()
    go(conversation(session, { tip, agent, at: uuid }))
  }
}

/** Read another branch from where it left; null is the active one. */
export function goToBranch(reader: Reader, tip: string | null): void {
  const { session, agent } = reader.where
  reader.note()
  go(conversation(session, { tip, agent }))
}

const DEEDS: Readonly<Record<string, Deed>> = {
  copy: (button) => void copy(textBeside(button), 'Text'),
  raw: (button, { show }) => show({ kind: 'raw', of: recordOf(button) }),
  file: (button, { show }) => show({ kind: 'file', path: button.dataset['path'] ?? '' }),
  go: (button, { reader }) => goTo(reader, button.dataset['uuid'] ?? ''),
  twig: (button, { reader }) => {
    const { tip } = button.dataset
    goToBranch(reader, tip && !button.classList.contains('on') ? tip : null)
  },
  'open-agent': (button, { reader }) => {
    const { agent } = button.dataset
    if (agent) {
      reader.note()
      go(conversation(reader.where.session, { agent }))
    }
  },
  lightbox: (button, { reader, show }) => {
    const all =
      reader.stage
        ?.elements()
        .flatMap((slot) => [...slot.querySelectorAll<HTMLImageElement>('img[data-picture]')]) ?? []
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
  load: (button, { reader }) => void load(button, reader),
  output: (button, { reader }) => void loadOutput(button, reader),
  again: (button, { reader }) => reader.again(button.closest<HTMLElement>('.slot')?.dataset['piece'] ?? ''),
}

/** The text a copy button stands for: what it names, else the block it stands on. */
function textBeside(button: HTMLElement): string {
  const { text } = button.dataset
  return text ?? button.closest('.code, .shell, .step')?.querySelector('pre')?.textContent ?? ''
}

function recordOf(button: HTMLElement): { uuid?: string; offset?: number } {
  const { uuid, offset } = button.dataset
  return offset
    ? { offset: Number(offset) }
    : { uuid: uuid ?? button.closest<HTMLElement>('[data-uuid]')?.dataset['uuid'] ?? '' }
}

/** Put what a button stands for into its place: the further pieces of an agent. */
async function load(button: HTMLElement, reader: Reader): Promise<void> {
  const key = button.dataset['body']
  if (!key || !(button instanceof HTMLButtonElement)) {
    return
  }
  button.disabled = true
  try {
    const made = document.createElement('template')
    made.innerHTML = await askBody(reader.where, key)
    reader.folds.dress(made.content)
    reader.stage?.holding(() => button.replaceWith(made.content))
  } catch (error) {
    button.disabled = false
    toast(sentence(error), { failed: true })
  }
}

const STRETCH = 200_000

/** Show the next stretch of an output that is kept in a file of its own. */
async function loadOutput(button: HTMLElement, reader: Reader): Promise<void> {
  const { name, from = '0', agent = reader.where.agent } = button.dataset
  if (!name || !(button instanceof HTMLButtonElement)) {
    return
  }
  button.disabled = true
  try {
    const answer = await askOutput(reader.where, name, Number(from), STRETCH, agent)
    reader.stage?.holding(() => {
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
    toast(sentence(error), { failed: true })
  }
}
