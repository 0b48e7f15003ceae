/** Where two points are compared: what is marked, else the branch at hand and the active one. */
import { compareAddress } from '../routes.svelte'
import { marks, type MarkedPoint } from './marks.svelte'

/** Give the address of A with B; null where both are the same. */
export function addressOfMarks(here: MarkedPoint | null): string | null {
  const a = marks.A ?? here
  if (!a) {
    return null
  }
  const b = marks.B ?? { session: a.session, uuid: null, label: '' }
  if (a.session === b.session && a.uuid === b.uuid) {
    return null
  }
  return compareAddress(a.session, {
    a: a.uuid ?? 'active',
    b: b.uuid ?? 'active',
    other: b.session === a.session ? null : b.session,
  })
}
