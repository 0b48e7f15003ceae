/** What the menu of the head offers: the same actions the keys do, by name. */
import { KEYMAP, formatKey, type ActionName } from '../../keymap'
import { nameCommand } from '../../sessions/resume-command'
import { isOffered } from '../../team.svelte'
import { createKeyActions, type PageContext } from './key-bindings'
import type { MenuItem } from './menu.svelte'

const OFFERED: readonly (readonly [ActionName, string])[] = [
  ['copyResume', 'Copy resume command'],
  ['present', 'Present'],
  ['export', 'Export…'],
  ['fork', 'Fork from here…'],
  ['makeActive', 'Make this the active branch…'],
  ['rename', 'Give it another title…'],
  ['health', 'Health of this session'],
  ['star', 'Star, or take the star'],
  ['note', 'Write a note…'],
  ['copyLink', 'Copy link'],
  ['copyMarkdown', 'Copy as Markdown'],
  ['copyId', 'Copy session id'],
  ['copyPath', 'Copy path of the file'],
  ['find', 'Find in this conversation'],
  ['unfoldAll', 'Unfold or fold everything'],
  ['thinking', 'Show or hide thinking'],
  ['talk', 'Only the talk, or everything'],
  ['wrap', 'Wrap long lines'],
  ['tree', 'Tree of branches'],
  ['compare', 'Compare with the active branch'],
  ['outline', 'Prompts'],
  ['facts', 'Branches and facts'],
  ['raw', 'Raw record'],
]

export function createMenuItems(context: PageContext): MenuItem[] {
  const actions = createKeyActions(context)
  const kind = context.page.facts?.resume_kind ?? 'resume'
  return OFFERED.filter(([name]) => isOffered(name) && (name !== 'copyResume' || kind !== 'none')).flatMap(
    ([name, words]) => {
      const label = name === 'copyResume' ? `Copy ${nameCommand(kind)}` : words
      const action = actions[name]
      const run = typeof action === 'function' ? action : action?.run
      const key = KEYMAP[name].keys[0]
      return run ? [{ label, key: formatKey(key), run: () => run(null) }] : []
    },
  )
}
