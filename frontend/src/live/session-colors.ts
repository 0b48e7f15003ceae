/** Gives each session one of eight colours, so that its rows in the stream can be told apart. */
export const COLORS = 8

export function sessionColor(id: string): number {
  let hash = 0
  for (const character of id) {
    hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  }
  return hash % COLORS
}

/** Assign colours in the order of the cards; neighbours differ. */
export function assignColors(ids: readonly string[]): Map<string, number> {
  const given = new Map<string, number>()
  let before = -1
  for (const id of ids) {
    const own = sessionColor(id)
    const color = own === before ? (own + 1) % COLORS : own
    given.set(id, color)
    before = color
  }
  return given
}
