/** Gives each session one of eight label hues, so that its rows in the stream can be told apart. */
export const HUES = 8

export function hueOf(id: string): number {
  let hash = 0
  for (const character of id) {
    hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  }
  return hash % HUES
}

/** Give hues in the order of the cards; neighbours differ. */
export function hues(ids: readonly string[]): Map<string, number> {
  const given = new Map<string, number>()
  let before = -1
  for (const id of ids) {
    const own = hueOf(id)
    const hue = own === before ? (own + 1) % HUES : own
    given.set(id, hue)
    before = hue
  }
  return given
}
