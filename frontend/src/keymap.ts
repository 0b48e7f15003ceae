/**
 * The one key map: every action has a name, its keys and what it does.
 *
 * The terminal app has the same keys. Screens bind actions by name and never by key, so a key
 * means the same everywhere. `g r` is two keys one after the other, `Ctrl+k` two at once.
 */
export interface Action {
  readonly keys: readonly string[]
  readonly label: string
}

export const KEYMAP = {
  next: { keys: ['j', 'ArrowDown'], label: 'Next row or block' },
  previous: { keys: ['k', 'ArrowUp'], label: 'Previous row or block' },
  nextGroup: { keys: ['J', ']'], label: 'Next prompt, split of a tree, or session in a search' },
  previousGroup: { keys: ['K', '['], label: 'Previous prompt, split of a tree, or session in a search' },
  previousSession: { keys: ['{'], label: 'Previous session of this project' },
  nextSession: { keys: ['}'], label: 'Next session of this project' },
  unfold: { keys: ['l', 'ArrowRight'], label: 'Open in place' },
  fold: { keys: ['h', 'ArrowLeft'], label: 'Fold, or go to the parent' },
  open: { keys: ['Enter'], label: 'Open' },
  toggle: { keys: ['Space'], label: 'Fold or unfold' },
  close: { keys: ['Escape'], label: 'Close, or back one step' },
  first: { keys: ['g g', 'Home'], label: 'Start' },
  last: { keys: ['G', 'End'], label: 'End; in a live session also follow' },
  halfDown: { keys: ['d'], label: 'Half a page down' },
  halfUp: { keys: ['u'], label: 'Half a page up' },
  home: { keys: ['g h', '1'], label: 'Go to Home' },
  sessions: { keys: ['g s', '2'], label: 'Go to Sessions' },
  searchScreen: { keys: ['3'], label: 'Go to Search' },
  live: { keys: ['g l', '4'], label: 'Go to Live' },
  usage: { keys: ['g u', '5'], label: 'Go to Usage' },
  settings: { keys: ['g ,'], label: 'Go to Settings' },
  archive: { keys: ['g a'], label: 'Go to the archive' },
  keepCopies: { keys: ['A'], label: 'Archive what is new, or stop that' },
  verify: { keys: ['V'], label: 'Archive: verify every copy, or stop that' },
  restore: { keys: ['B'], label: 'Archive: bring back a deleted session…' },
  forget: { keys: ['Delete'], label: 'Archive: forget every copy of a session…' },
  search: { keys: ['s'], label: 'Search everything' },
  find: { keys: ['/'], label: 'Find or filter on this screen' },
  findWords: { keys: ['Ctrl+f'], label: 'Find in this conversation; again for the browser’s own' },
  nextHit: { keys: ['n'], label: 'Next hit' },
  previousHit: { keys: ['N'], label: 'Previous hit' },
  palette: { keys: ['Ctrl+k'], label: 'Open the palette' },
  help: { keys: ['?'], label: 'Keys of this screen' },
  outline: { keys: ['o'], label: 'Show or hide the outline' },
  facts: { keys: ['i'], label: 'Show or hide the facts' },
  unfoldTurn: { keys: ['x'], label: 'Unfold this turn' },
  unfoldAll: { keys: ['X'], label: 'Unfold everything' },
  thinking: { keys: ['H'], label: 'Show or hide thinking' },
  talk: { keys: ['z'], label: 'Only the talk: prompts and answers, no steps' },
  follow: { keys: ['F'], label: 'Follow live' },
  wrap: { keys: ['w'], label: 'Wrap long lines' },
  pane: { keys: ['Tab'], label: 'To the other side of a comparison' },
  view: { keys: ['v'], label: 'Charts or tables' },
  tree: { keys: ['t'], label: 'Tree of this session' },
  compare: { keys: ['c'], label: 'Compare with the active branch, or A with B' },
  markA: { keys: ['a'], label: 'Mark A' },
  markB: { keys: ['b'], label: 'Mark B' },
  zoomIn: { keys: ['+'], label: 'Look nearer' },
  zoomOut: { keys: ['-'], label: 'Look from further away' },
  copyResume: { keys: ['y r'], label: 'Copy the resume command' },
  copyId: { keys: ['y i'], label: 'Copy the id' },
  copyLink: { keys: ['y l'], label: 'Copy the link' },
  copyPath: { keys: ['y p'], label: 'Copy the path of the file' },
  copyMarkdown: { keys: ['y m'], label: 'Copy as Markdown' },
  star: { keys: ['*'], label: 'Star, or take the star' },
  note: { keys: ['M'], label: 'Write a note' },
  hide: { keys: ['Z'], label: 'Hide this project on Home, or show it again' },
  fork: { keys: ['f'], label: 'Fork from here…' },
  makeActive: { keys: ['m'], label: 'Make this the active branch…' },
  undo: { keys: ['U'], label: 'Undo the last change bough made…' },
  rename: { keys: ['R'], label: 'Give the session another title…' },
  present: { keys: ['p'], label: 'Present, slide by slide' },
  export: { keys: ['e'], label: 'Export…' },
  raw: { keys: ['r'], label: 'Raw record' },
  health: { keys: ['D'], label: 'What is wrong with this session, or with any' },
} as const satisfies Record<string, Action>

export type ActionName = keyof typeof KEYMAP

export const ACTION_NAMES = Object.keys(KEYMAP) as readonly ActionName[]

const SHOWN: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

/** Write a key as it is printed on a keyboard. */
export function formatKey(key: string): string {
  return key
    .split(' ')
    .map((part) => SHOWN[part] ?? (part.startsWith('Ctrl+') ? `Ctrl ${part.slice(5).toUpperCase()}` : part))
    .join(' ')
}
