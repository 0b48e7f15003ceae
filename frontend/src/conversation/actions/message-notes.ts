/**
 * Stars and notes on messages, put under the first piece of each.
 *
 * Pieces are text from the server, drawn and thrown away by the dozen. So what is said of a message is
 * added when its piece is filled, and again when something else is said.
 */
import {
  changeAnnotation,
  describeOther,
  LONGEST_NOTE,
  messageMarks,
  onMessageMarks,
} from '../../annotations.svelte'
import { showToast } from '../../ui/toast.svelte'
import { findPiece, parseMessageId } from '../data/conversation'
import type { OpenConversation } from '../open-conversation.svelte'

const CLASS = 'annotation'

/** Put what is said of a message under a piece that was filled. */
export function addMessageMarks(page: OpenConversation, row: HTMLElement): void {
  const uuid = parseMessageId(row.dataset['piece'] ?? '')
  const marks = messageMarks(uuid)
  const old = findMarks(row)
  const isFirst = page.data !== null && page.data.keys[findPiece(page.data, uuid)] === row.dataset['piece']
  if (!marks || !isFirst || !(marks.starred || marks.note || marks.others.length)) {
    old?.remove()
    return
  }
  const made = document.createElement('div')
  made.className = CLASS
  if (marks.starred) {
    const star = document.createElement('span')
    star.className = 'annotation-star'
    star.textContent = '★'
    star.title = 'Starred'
    made.append(star)
  }
  if (marks.note) {
    const note = document.createElement('button')
    note.type = 'button'
    note.className = 'annotation-note'
    note.dir = 'auto'
    note.title = 'Change the note'
    note.textContent = marks.note
    note.addEventListener('click', () => openMessageNote(page, row))
    made.append(note)
  }
  for (const other of marks.others) {
    const said = document.createElement('span')
    said.className = 'annotation-other'
    said.dir = 'auto'
    said.textContent = describeOther(other)
    made.append(said)
  }
  if (old) {
    old.replaceWith(made)
  } else {
    row.append(made)
  }
}

/** Draw again what is said of messages whenever it changes; returns what ends it. */
export function followMessageMarks(page: OpenConversation): () => void {
  return onMessageMarks((uuids) => {
    const rows = (page.list?.elements() ?? []).filter((row) =>
      uuids.has(parseMessageId(row.dataset['piece'] ?? '')),
    )
    if (rows.length) {
      page.list?.changeContent(() => rows.forEach((row) => addMessageMarks(page, row)))
    }
  })
}

/** Star a message, or take its star. */
export async function toggleMessageStar(page: OpenConversation, uuid: string): Promise<void> {
  if (canBeAnnotated(uuid)) {
    const starred = !(messageMarks(uuid)?.starred ?? false)
    await changeAnnotation({ kind: 'message', id: uuid, session: page.ref.session, starred })
  }
}

/** Write the note on the message of a row, under its first piece. */
export function openMessageNote(page: OpenConversation, row: HTMLElement): void {
  const uuid = parseMessageId(row.dataset['piece'] ?? '')
  const first = page.data?.keys[findPiece(page.data, uuid)] ?? ''
  const host = page.list?.element(first) ?? row
  if (!canBeAnnotated(uuid) || host.querySelector('.annotation-field')) {
    return
  }
  const field = createField(messageMarks(uuid)?.note ?? '')
  const closeEmpty = (): void => {
    if (!field.value.trim()) {
      close()
    }
  }
  const close = (): void => {
    if (field.isConnected) {
      // To remove what has the focus blurs it first, which would close it a second time.
      field.removeEventListener('blur', closeEmpty)
      page.list?.changeContent(() => field.remove())
      host.querySelector<HTMLElement>('[tabindex], a, button, summary')?.focus({ preventScroll: true })
    }
  }
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      const note = field.value
      void changeAnnotation({ kind: 'message', id: uuid, session: page.ref.session, note }).then(
        (isKept) => isKept && close(),
      )
    }
  })
  field.addEventListener('blur', closeEmpty)
  page.list?.changeContent(() => host.append(field))
  field.focus()
}

function createField(note: string): HTMLTextAreaElement {
  const field = document.createElement('textarea')
  field.className = 'annotation-field'
  field.rows = 2
  field.maxLength = LONGEST_NOTE
  field.value = note
  field.setAttribute('aria-label', 'Note on this message')
  field.placeholder = 'A short note; Enter keeps it, Esc leaves it as it was'
  return field
}

function findMarks(row: HTMLElement): Element | undefined {
  return [...row.children].find((child) => child.classList.contains(CLASS))
}

function canBeAnnotated(uuid: string): boolean {
  if (uuid === '' || uuid.startsWith('@')) {
    showToast('This has no id in the file, so nothing can be said of it.')
    return false
  }
  return true
}
