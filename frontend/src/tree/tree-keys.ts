/** The keys of the tree, by action (keymap.ts says which key that is). */
import type { Actions } from '../keys.svelte'
import { conversationAddress, goTo, treeAddress } from '../routes.svelte'
import { openTravel } from '../travel/travel.svelte'
import { copyText, showToast } from '../ui/toast.svelte'
import type { TreeRow } from '../wire'
import { addressOfMarks } from './compare-marks'
import { setMark, type MarkName } from './marks.svelte'
import type { TreeData, TreeZoom } from './tree-data.svelte'
import { findBranchInto, findParent, findSplit, findTurn } from './tree-steps'

export const ZOOMS: readonly { readonly value: TreeZoom; readonly label: string }[] = [
  { value: 'shape', label: 'Shape' },
  { value: 'prompts', label: 'Prompts' },
  { value: 'messages', label: 'Every message' },
]

export interface TreeScreen {
  readonly tree: TreeData
  readonly zoom: () => TreeZoom
  readonly setZoom: (zoom: TreeZoom) => void
  /** How many rows are half a page. */
  readonly halfPage: () => number
}

/** Give where a row is read: an agent's own conversation, another file, or this branch. */
export function readingAddress(session: string, row: TreeRow): string {
  if (row.session) {
    return conversationAddress(row.session)
  }
  if (row.kind === 'agent' && row.agent) {
    return conversationAddress(session, { agent: row.agent })
  }
  return conversationAddress(session, { at: row.uuid })
}

export function createTreeActions({ tree, zoom, setZoom, halfPage }: TreeScreen): Actions {
  const last = (): number => Math.max(0, (tree.answer?.count ?? 0) - 1)
  const go = (to: number | null): boolean => {
    if (to === null) {
      return false
    }
    tree.selected = Math.max(0, Math.min(to, last()))
    return true
  }
  const shape = () => tree.answer ?? { kinds: '', depths: [] }
  /** An agent, a fork or a compaction belongs to the turn above it. */
  const point = (): TreeRow | null => {
    const row = tree.current
    return row?.uuid ? row : tree.row(findTurn(shape(), tree.selected))
  }
  const mark = (name: MarkName): void => {
    const row = point()
    if (row?.uuid) {
      setMark(name, { session: tree.session, uuid: row.uuid, label: row.text })
    }
  }
  const travel = (operation: 'fork' | 'goto'): void => {
    const at = point()?.uuid
    if (at) {
      openTravel({ operation, session: tree.session, at })
    }
  }
  const stepZoom = (by: 1 | -1): boolean => {
    const next = ZOOMS[ZOOMS.findIndex((one) => one.value === zoom()) + by]
    if (next) {
      setZoom(next.value)
    }
    return next !== undefined
  }
  return {
    next: { run: () => go(tree.selected + 1), label: 'Next row' },
    previous: { run: () => go(tree.selected - 1), label: 'Previous row' },
    nextGroup: { run: () => go(findSplit(shape(), tree.selected, 1)), label: 'Next split' },
    previousGroup: { run: () => go(findSplit(shape(), tree.selected, -1)), label: 'Previous split' },
    unfold: {
      run: () => go(findBranchInto(shape(), tree.selected)),
      label: 'Into the branch that leaves here',
    },
    fold: { run: () => go(findParent(shape(), tree.selected)), label: 'To where this branch left' },
    first: { run: () => go(0), label: 'Start' },
    last: { run: () => go(last()), label: 'End' },
    halfDown: () => go(tree.selected + halfPage()),
    halfUp: () => go(tree.selected - halfPage()),
    open: {
      run: () => {
        const row = tree.current?.uuid || tree.current?.session ? tree.current : point()
        if (row) {
          goTo(readingAddress(tree.session, row))
        }
        return row !== null
      },
      label: 'Read this branch',
    },
    markA: () => mark('A'),
    markB: () => mark('B'),
    compare: () => compare(tree, point()),
    fork: () => travel('fork'),
    makeActive: () => travel('goto'),
    zoomIn: () => stepZoom(1),
    zoomOut: () => stepZoom(-1),
    tree: { run: () => goTo(conversationAddress(tree.session)), label: 'Back to the conversation' },
    copyId: {
      run: () => void copyText(point()?.uuid ?? tree.session, 'Id'),
      label: 'Copy the id of this message',
    },
    copyLink: () => void copyText(location.origin + treeAddress(tree.session, { at: point()?.uuid }), 'Link'),
  }
}

function compare(tree: TreeData, row: TreeRow | null): void {
  const isElsewhere = row !== null && !row.on_path
  const here = isElsewhere && row.uuid ? { session: tree.session, uuid: row.uuid, label: row.text } : null
  const address = addressOfMarks(here)
  if (address) {
    goTo(address)
  } else {
    showToast('This is on the active branch. Mark A and B, or go to another branch.')
  }
}
