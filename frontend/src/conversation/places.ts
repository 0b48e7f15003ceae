/**
 * Where each conversation was left: a piece and how far into it, kept in the browser.
 *
 * One who leaves at the end wants to see the end again, new words included, so the end is not
 * kept as a place. Only the latest few hundred conversations are remembered.
 */
export interface Place {
  readonly key: string
  readonly inner: number
}

export type Keep = Pick<Storage, 'getItem' | 'setItem'>

const NAME = 'bough.places'
const KEPT = 300

/** How a conversation is named among the places. */
export function nameOf(session: string, tip: string | null, agent: string | null): string {
  return [session, tip ?? '', agent ?? ''].join(' ').trimEnd()
}

export function recall(keep: Keep, name: string): Place | null {
  return read(keep)[name] ?? null
}

/** Keep a place, or with null forget it. */
export function remember(keep: Keep, name: string, place: Place | null): void {
  const others = Object.entries(read(keep)).filter(([other]) => other !== name)
  const latest = [...others, ...(place ? [[name, place] as const] : [])].slice(-KEPT)
  try {
    keep.setItem(NAME, JSON.stringify(Object.fromEntries(latest)))
  } catch {
    // A browser that keeps nothing opens at the end; that is all it costs.
  }
}

function read(keep: Keep): Record<string, Place> {
  try {
    const value: unknown = JSON.parse(keep.getItem(NAME) ?? '{}')
    const places: Record<string, Place> = {}
    for (const [name, place] of Object.entries(value && typeof value === 'object' ? value : {})) {
      if (isPlace(place)) {
        places[name] = place
      }
    }
    return places
  } catch {
    return {}
  }
}

function isPlace(value: unknown): value is Place {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    typeof value.key === 'string' &&
    'inner' in value &&
    typeof value.inner === 'number'
  )
}
