/** Values of a record as a tree: what is in them, and how a folded one is summed up. */

export function listChildren(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

export function summarizeValue(value: unknown): string {
  const children = listChildren(value)
  if (Array.isArray(value)) {
    return `[${children.length}]`
  }
  const names = children.map(([name]) => name)
  const some = names.slice(0, 4).join(', ')
  return names.length > 4 ? `{${some}, and ${names.length - 4} more}` : `{${some}}`
}
