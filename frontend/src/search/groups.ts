/** Hits under the session they belong to, sessions in the order of their first hit. */
import type { KeptSign, SearchHit } from '../wire'

/** A hit, and the other sessions that have the same message: forks take it along. */
export interface FoundHit extends SearchHit {
  readonly also?: readonly string[]
}

export interface HitGroup {
  readonly session: string
  readonly title: string
  readonly place: string
  /** How many hits it has, loaded or not; null where that is not known. */
  readonly total: number | null
  /** What is left of the session, where its file was deleted. */
  readonly kept: KeptSign | null
  /** The newest time among its hits. */
  readonly at: string | null
  readonly hits: readonly { readonly hit: FoundHit; readonly number: number }[]
}

/** Keep each message once, where it was found first; those before may have been kept so already. */
export function removeDuplicates(hits: readonly FoundHit[]): FoundHit[] {
  const kept: FoundHit[] = []
  const first = new Map<string, number>()
  for (const hit of hits) {
    const key = hit.uuid && JSON.stringify([hit.uuid, hit.kind, hit.snippet])
    const at = key ? first.get(key) : undefined
    const same = at === undefined ? undefined : kept[at]
    if (at === undefined || !same || same.session === hit.session) {
      if (key && at === undefined) {
        first.set(key, kept.length)
      }
      kept.push(hit)
    } else if (!same.also?.includes(hit.session)) {
      kept[at] = { ...same, also: [...(same.also ?? []), hit.session] }
    }
  }
  return kept
}

/** Count hits with those that are not shown because another stands for them. */
export function countHits(hits: readonly FoundHit[]): number {
  return hits.reduce((sum, hit) => sum + 1 + (hit.also?.length ?? 0), 0)
}

export function groupHits(hits: readonly FoundHit[]): HitGroup[] {
  const found = new Map<string, { hit: FoundHit; number: number }[]>()
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
      total: first?.in_session ?? null,
      kept: first?.kept ?? null,
      at: list.reduce<string | null>(
        (newest, { hit }) => ((hit.timestamp ?? '') > (newest ?? '') ? hit.timestamp : newest),
        null,
      ),
      hits: list.map(({ hit }) => ({ hit, number: number++ })),
    }
  })
}

/** Give the hits in the order in which they are shown: what `n` walks through. */
export function listHits(all: readonly HitGroup[]): FoundHit[] {
  return all.flatMap((group) => group.hits.map(({ hit }) => hit))
}
