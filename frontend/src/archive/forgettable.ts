/** A session whose copies may be removed. */
export interface Forgettable {
  readonly session: string
  readonly title: string
  /** The client has deleted the file: the copies are all there is. */
  readonly isGone: boolean
}
