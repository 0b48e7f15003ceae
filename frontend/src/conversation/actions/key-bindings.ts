/**
 * The keys of the conversation screen, by action (keymap.ts says which key that is).
 */
import { toggleSessionStar } from '../../annotations.svelte'
import { describeError } from '../../api'
import type { Actions } from '../../keys.svelte'
import { compareAddress, conversationAddress, goTo, treeAddress } from '../../routes.svelte'
import { goBackToResults, hitWalk, stepToHit } from '../../search/hit-list.svelte'
import { openTravel } from '../../travel/travel.svelte'
import { copyText, showToast } from '../../ui/toast.svelte'
import { listTurn, parseMessageId } from '../data/conversation'
import type { ProjectSessions } from '../data/project-sessions.svelte'
import type { FindInConversation } from '../find/find.svelte'
import type { OpenConversation } from '../open-conversation.svelte'
import { copyLink, copyMarkdown, copyPath, copyResume } from './copy'
import { findRecordHere, focusedPiece, messageHere, pieceHere } from './focused-message'
import {
  closeFoldOrParent,
  goToPrompt,
  openFold,
  pressStop,
  stepByStop,
  toggleFoldOrScroll,
} from './keyboard-steps'
import { openMessageNote, toggleMessageStar } from './message-notes'
import type { Overlay } from './piece-actions'

/** What the reader can show or hide. */
export type Toggle = 'outline' | 'facts' | 'thinking' | 'talk' | 'wrap'

/** What actions work on. */
export interface PageContext {
  readonly page: OpenConversation
  readonly find: FindInConversation
  readonly strip: () => HTMLElement | undefined
  readonly show: (overlay: Overlay) => void
  readonly toggle: (what: Toggle) => void
  readonly sessions: ProjectSessions
  /** Write the note on the session, in the head. */
  readonly writeNote: () => void
}

/** The title to begin with; one that was cut for lists would be written as it was cut. */
function wholeTitle(page: OpenConversation): string {
  return page.title.endsWith('…') ? '' : page.title
}

export function createKeyActions(context: PageContext): Actions {
  const { page, find, show, toggle } = context
  return {
    next: () => stepByStop(context, 1),
    previous: () => stepByStop(context, -1),
    nextGroup: { run: () => goToPrompt(page, 1), label: 'Next prompt' },
    previousGroup: { run: () => goToPrompt(page, -1), label: 'Previous prompt' },
    previousSession: () => void goToSession(context, -1),
    nextSession: () => void goToSession(context, 1),
    unfold: () => openFold(context),
    fold: () => closeFoldOrParent(context),
    open: (event) => event !== null && pressStop(context),
    toggle: (event) => toggleFoldOrScroll(page, event),
    first: { run: () => void page.navigator.goToStart(), label: 'Start of the conversation' },
    last: { run: () => void page.navigator.goToEnd(), label: 'End of the conversation; live: and follow' },
    halfDown: () => page.list?.scrollByScreens(0.5),
    halfUp: () => page.list?.scrollByScreens(-0.5),
    find: { run: () => find.open(), label: 'Find in this conversation' },
    findWords: () => (find.isOpen ? false : find.open()),
    nextHit: () => goToHit(context, 1),
    previousHit: () => goToHit(context, -1),
    close: () => closeInnermost(context),
    outline: () => toggle('outline'),
    facts: () => toggle('facts'),
    unfoldTurn: () => toggleTurn(context),
    unfoldAll: () => toggleAll(context),
    thinking: () => toggle('thinking'),
    talk: () => toggle('talk'),
    follow: () => void page.navigator.setFollowing(!page.position.isFollowing),
    wrap: () => toggle('wrap'),
    tree: () => openTree(page),
    compare: { run: () => compareWithActive(page), label: 'Compare with the active branch' },
    copyResume: () => void copyResume(page),
    copyId: () => void copyText(page.ref.session, 'Session id'),
    copyLink: () => void copyLink(page),
    copyPath: () => void copyPath(page),
    copyMarkdown: () => void copyMarkdown(page),
    star: { run: () => void toggleStar(context), label: 'Star this message, or the session' },
    note: { run: () => writeNote(context), label: 'Write a note on this message, or on the session' },
    fork: () => travelFrom(context, 'fork'),
    makeActive: () => travelFrom(context, 'goto'),
    rename: () => openTravel({ operation: 'rename', session: page.ref.session, title: wholeTitle(page) }),
    health: { run: () => show({ kind: 'health' }), label: 'What is wrong with this session, if anything' },
    present: () => page.data !== null && show({ kind: 'present', at: messageHere(page) }),
    export: () => show({ kind: 'export' }),
    raw: () => show({ kind: 'raw', of: findRecordHere(page) }),
  }
}

/** Open the tree at the message that is read. */
function openTree(page: OpenConversation): void {
  page.savePosition()
  const key = pieceHere(page)?.dataset['piece']
  goTo(treeAddress(page.ref.session, { at: key === undefined ? null : parseMessageId(key) }))
}

function compareWithActive(page: OpenConversation): void {
  const tip = page.data?.active === false ? page.data.tip : null
  if (tip) {
    page.savePosition()
    goTo(compareAddress(page.ref.session, { a: tip, b: 'active' }))
  } else {
    showToast('This is the active branch. Go to another one, or mark A and B in the tree.')
  }
}

/** Next place of the find; without one, the next hit of the search one came from. */
export async function goToHit({ find, page }: PageContext, by: 1 | -1): Promise<void> {
  if (await find.step(by)) {
    return
  }
  const { session, agent } = page.ref
  const search = hitWalk.current
  const current = search?.hits[search.at]
  const uuid = current?.session === session ? current.uuid : null
  try {
    const next = await stepToHit({ session, uuid, agent }, by)
    if (next) {
      page.savePosition()
      goTo(next)
    } else if (search) {
      showToast(by > 0 ? 'That was the last hit.' : 'That was the first hit.')
    }
  } catch (error) {
    showToast(describeError(error), { failed: true })
  }
}

/** Go to the session before or after this one, in the order of the pane. */
async function goToSession({ page, sessions }: PageContext, by: 1 | -1): Promise<void> {
  const row = page.facts?.row
  if (row === undefined) {
    return
  }
  const next = await sessions.findBeside(row.project, row.id, by)
  if (next) {
    page.savePosition()
    goTo(conversationAddress(next.id))
  } else {
    showToast(
      by > 0 ? 'That was the last session of this project.' : 'That was the first session of this project.',
    )
  }
}

/** Preview a fork from the message, or making its branch the active one. */
function travelFrom({ page }: PageContext, operation: 'fork' | 'goto'): void {
  const { session, agent } = page.ref
  if (!page.data) {
    return
  }
  if (agent) {
    showToast('An agent’s conversation cannot be resumed. Choose a message of the main conversation.')
    return
  }
  openTravel({ operation, session, at: messageHere(page) })
}

/** Star the message the keyboard is in, else the session. */
async function toggleStar({ page }: PageContext): Promise<void> {
  const row = focusedPiece()
  if (row) {
    await toggleMessageStar(page, parseMessageId(row.dataset['piece'] ?? ''))
  } else if (page.facts) {
    await toggleSessionStar(page.facts.row)
  }
}

/** Write the note on the message the keyboard is in, else on the session. */
function writeNote(context: PageContext): void {
  const row = focusedPiece()
  if (row) {
    openMessageNote(context.page, row)
  } else {
    context.writeNote()
  }
}

/** Close the find, go back to the hits, leave the message, or leave the agent, whichever is first. */
function closeInnermost({ find, page }: PageContext): boolean {
  if (find.isOpen) {
    find.close()
    return true
  }
  if (find.isFromSearch) {
    page.savePosition()
    goBackToResults()
    return true
  }
  const focused = document.activeElement
  if (focused instanceof HTMLElement && focused.closest('.slot')) {
    focused.blur()
    return true
  }
  if (page.ref.agent) {
    const call = page.facts?.agents.find((one) => one.id === page.ref.agent)?.call_uuid
    goTo(conversationAddress(page.ref.session, { at: call }))
    return true
  }
  return false
}

/** Unfold all of a turn, prompt and answer; folded again where nothing is left to unfold. */
function toggleTurn({ page }: PageContext): void {
  const { data, list } = page
  const here = data?.keys.indexOf(pieceHere(page)?.dataset['piece'] ?? '') ?? -1
  if (!data || !list || here < 0) {
    return
  }
  const keys = listTurn(data, here)
  const own = keys.flatMap((key) => list.element(key) ?? [])
  page.folds.toggleMessages(new Set(keys.map(parseMessageId)), own)
}

function toggleAll({ page, strip }: PageContext): void {
  const root = strip()
  if (root) {
    const open = !page.folds.isAllOpen
    page.folds.setAll(root, open)
    showToast(open ? 'Everything is unfolded.' : 'Everything is folded.')
  }
}
