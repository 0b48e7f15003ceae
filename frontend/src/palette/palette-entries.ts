/** What the palette offers for what was typed: actions, sessions, projects, and a search last. */
import { formatKey } from '../keymap'
import type { BoundAction } from '../keys.svelte'
import { buildAddress, conversationAddress } from '../routes.svelte'
import type { ProjectItem, SessionItem } from '../wire'

export interface PaletteEntry {
  readonly key: string
  readonly group: 'Actions' | 'Sessions' | 'Projects' | 'Search'
  readonly label: string
  readonly about: string
  readonly keys: readonly string[]
  /** Where it leads, or null for something to do. */
  readonly path: string | null
  readonly action: BoundAction | null
}

const ACTIONS_SHOWN = 6
const SESSIONS_SHOWN = 6
const PROJECTS_SHOWN = 4
/** What moves the cursor of a list is nothing to look up. */
const NOT_LISTED = new Set([
  'first',
  'last',
  'halfDown',
  'halfUp',
  'next',
  'previous',
  'nextGroup',
  'previousGroup',
  'open',
  'close',
  'toggle',
  'unfold',
  'fold',
  'pane',
  'palette',
])

export function listEntries(
  typed: string,
  actions: readonly BoundAction[],
  sessions: readonly SessionItem[],
  projects: readonly ProjectItem[],
): PaletteEntry[] {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean)
  const offered = actions.filter((one) => !NOT_LISTED.has(one.name) && has(one.label, words))
  return [
    ...offered.slice(0, words.length ? ACTIONS_SHOWN : offered.length).map(actionEntry),
    ...titlesFirst(sessions, words).slice(0, SESSIONS_SHOWN).map(sessionEntry),
    ...projects
      .filter((one) => words.length > 0 && has(`${one.name} ${one.path ?? ''}`, words))
      .slice(0, PROJECTS_SHOWN)
      .map(projectEntry),
    ...(words.length ? [searchEntry(typed.trim())] : []),
  ]
}

/** Put sessions whose title has the words before those that only lie in a project that has them. */
function titlesFirst(sessions: readonly SessionItem[], words: readonly string[]): SessionItem[] {
  const isTitled = (row: SessionItem): boolean => has(row.title, words)
  return [...sessions.filter(isTitled), ...sessions.filter((row) => !isTitled(row))]
}

function has(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

function actionEntry(action: BoundAction): PaletteEntry {
  return {
    key: `action ${action.name}`,
    group: 'Actions',
    label: action.label,
    about: '',
    keys: action.keys.slice(0, 1).map(formatKey),
    path: null,
    action,
  }
}

function sessionEntry(row: SessionItem): PaletteEntry {
  return {
    key: `session ${row.id}`,
    group: 'Sessions',
    label: row.title,
    about: row.project_name,
    keys: [],
    path: conversationAddress(row.id),
    action: null,
  }
}

function projectEntry(row: ProjectItem): PaletteEntry {
  return {
    key: `project ${row.id}`,
    group: 'Projects',
    label: row.name,
    about: row.path ?? '',
    keys: [],
    path: buildAddress('/sessions', { project: row.id }),
    action: null,
  }
}

function searchEntry(query: string): PaletteEntry {
  return {
    key: 'search',
    group: 'Search',
    label: `Search for “${query}”`,
    about: '',
    keys: [],
    path: buildAddress('/search', { q: query }),
    action: null,
  }
}
