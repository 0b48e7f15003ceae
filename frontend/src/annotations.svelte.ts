/**
 * Stars, notes and hidden projects: what was changed since the lists came, and what is said of messages.
 *
 * Rows bring what is said of sessions and projects. A change stands here until another screen asks
 * for its rows again, so that every place shows it at once.
 */
import { SvelteMap } from 'svelte/reactivity'

import { describeError, getJson, postJson } from './api'
import { onEvent, onReturn } from './events.svelte'
import { onRoute } from './routes.svelte'
import { showToast } from './ui/toast.svelte'
import type {
  AnnotationBody,
  AnnotationItem,
  AnnotationsAnswer,
  OtherNote,
  ProjectItem,
  SessionItem,
} from './wire'

/** So long may a note be. */
export const LONGEST_NOTE = 2_000

type Marks = Pick<AnnotationItem, 'starred' | 'note' | 'hidden' | 'others'>

const changed = new SvelteMap<string, Marks>()
const messages = new SvelteMap<string, Marks>()
const handlers = new Set<(uuids: ReadonlySet<string>) => void>()

export function sessionMarks(row: Pick<SessionItem, 'id' | 'starred' | 'note' | 'other_notes'>): Marks {
  const known = changed.get(`session ${row.id}`)
  return known ?? { starred: row.starred, note: row.note, hidden: false, others: row.other_notes }
}

export function projectMarks(project: Pick<ProjectItem, 'id' | 'starred' | 'hidden'>): Marks {
  return (
    changed.get(`project ${project.id}`) ?? {
      starred: project.starred,
      note: '',
      hidden: project.hidden,
      others: [],
    }
  )
}

export function messageMarks(uuid: string): Marks | undefined {
  return messages.get(uuid)
}

/** Write what another member of a team said of something: a star, a note. */
export function describeOther(other: OtherNote): string {
  return `${other.starred ? '★ ' : ''}${other.author}${other.note ? `: ${other.note}` : ''}`
}

/** Be told when something else is said of messages; returns what ends it. */
export function onMessageMarks(handler: (uuids: ReadonlySet<string>) => void): () => void {
  handlers.add(handler)
  return () => handlers.delete(handler)
}

/** Change what is said of something; says so where that does not work. */
export async function changeAnnotation(body: AnnotationBody): Promise<boolean> {
  try {
    takeItem(await postJson<AnnotationItem>('/api/annotations', body))
    return true
  } catch (error) {
    showToast(describeError(error), { failed: true })
    return false
  }
}

export async function toggleSessionStar(
  row: Pick<SessionItem, 'id' | 'starred' | 'note' | 'other_notes'>,
): Promise<void> {
  await changeAnnotation({ kind: 'session', id: row.id, starred: !sessionMarks(row).starred })
}

/** Ask for what is said of messages. */
export async function loadMessageMarks(): Promise<void> {
  try {
    const answer = await getJson<AnnotationsAnswer>('/api/annotations')
    const known = new Set([...messages.keys(), ...answer.annotations.map((one) => one.id)])
    messages.clear()
    for (const item of answer.annotations) {
      messages.set(item.id, item)
    }
    tell(known)
  } catch {
    // The conversation is read all the same; the next question says what is wrong.
  }
}

function takeItem(item: AnnotationItem): void {
  if (item.kind === 'message') {
    messages.set(item.id, item)
    tell(new Set([item.id]))
  } else {
    changed.set(`${item.kind} ${item.id}`, item)
  }
}

function tell(uuids: ReadonlySet<string>): void {
  for (const handler of handlers) {
    handler(uuids)
  }
}

let screen = ''

/** Follow what other tabs and other faces change. */
export function followAnnotations(): () => void {
  const offs = [
    onEvent('annotation', takeItem),
    onEvent('reset', () => {
      changed.clear()
      void loadMessageMarks()
    }),
    onReturn(() => void loadMessageMarks()),
    onRoute((route) => {
      const next = `${route.screen} ${route.id ?? ''}`
      if (next !== screen) {
        screen = next
        changed.clear()
      }
    }),
  ]
  return () => offs.forEach((off) => off())
}
