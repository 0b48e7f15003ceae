/** A and B: two points that are to be compared, marked wherever they are seen. */
export interface MarkedPoint {
  readonly session: string
  /** A record of the branch; null is the active branch of the session. */
  readonly uuid: string | null
  readonly label: string
}

export type MarkName = 'A' | 'B'

let points = $state.raw<Readonly<Partial<Record<MarkName, MarkedPoint>>>>({})

export const marks = {
  get A(): MarkedPoint | null {
    return points.A ?? null
  },
  get B(): MarkedPoint | null {
    return points.B ?? null
  },
}

/** Mark a point; the same one again is not marked any more. */
export function setMark(name: MarkName, point: MarkedPoint): void {
  const known = points[name]
  const same = known?.session === point.session && known.uuid === point.uuid
  points = { ...points, [name]: same ? undefined : point }
}

export function clearMarks(): void {
  points = {}
}

/** List the names of the marks at a point. */
export function namesAt(session: string, uuid: string | null): readonly MarkName[] {
  return (['A', 'B'] as const).filter(
    (name) => points[name]?.session === session && points[name].uuid === uuid,
  )
}
