/** Hits under the session they belong to, sessions in the order of their first hit. */
import type { SearchHit } from '../wire'

export interface Group {
  readonly session: string
  readonly title: string
  readonly place: string
  /** The newest time among its hits. */
  readonly at: string | null
  readonly hits: readonly { readonly hit: SearchHit; readonly number: number }[]
}

export function groups(hits: readonly SearchHit[]): Group[] {
  const found = new Map<string, { hit: SearchHit; number: number }[]>()
  for (const hit of hits) {
    const known = found.get(hit.session) ?? []
    found.set(hit.session, known)
    known.push({ hit, number: 0 })
  }
  let number = 0
  return [...found].map(([session, list]) => {
    const first = list[0]?.hit
    const repository = first?.worktree_of?.split(/[\\/]/).filter(Boolean).at(-1)
    return {
      session,
      title: first?.title ?? session,
      place: [repository, first?.project_name].filter(Boolean).join('/'),
      at: list.reduce<string | null>(
        (newest, { hit }) => ((hit.timestamp ?? '') > (newest ?? '') ? hit.timestamp : newest),
        null,
      ),
      hits: list.map(({ hit }) => ({ hit, number: number++ })),
    }
  })
}

/** Give the hits in the order in which they are shown: what `n` walks through. */
export function inOrder(all: readonly Group[]): SearchHit[] {
  return all.flatMap((group) => group.hits.map(({ hit }) => hit))
}
