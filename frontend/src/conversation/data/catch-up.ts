/**
 * Asks what is new until it is there: once at a time, again where the network fails, and once
 * more where an event was faster than the file.
 */
import { ApiError } from '../../api'
import { runOnceMore } from '../../lib/run-once-more'

const AGAIN_AFTER = 1_000
const LATE_AFTER = 1_000

export interface ChangeSource {
  /** Ask, and take what is new; tells whether nothing was, though something was said to be. */
  readonly ask: () => Promise<boolean>
  /** The list as a whole is other than we think: take it anew. */
  readonly reload: () => Promise<void>
  /** The file is not there any more. */
  readonly onGone: () => void
}

export class CatchUp {
  private againDue: ReturnType<typeof setTimeout> | undefined
  private lateDue: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly source: ChangeSource) {}

  readonly run = runOnceMore(async () => {
    try {
      if (await this.source.ask()) {
        this.askLater()
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) {
        await this.source.reload().catch(() => this.askAgain())
      } else if (error instanceof ApiError && error.status === 404) {
        this.source.onGone()
      } else {
        this.askAgain()
      }
    }
  })

  /** Ask no more of what was asked for. */
  stop(): void {
    clearTimeout(this.againDue)
    clearTimeout(this.lateDue)
    this.againDue = this.lateDue = undefined
  }

  /** The network may fail while events still come: what they told of is asked for until it is there. */
  private askAgain(): void {
    clearTimeout(this.againDue)
    this.againDue = setTimeout(() => void this.run(), AGAIN_AFTER)
  }

  /** Something was said to be new and is not there yet: the event was faster than the file. */
  private askLater(): void {
    this.lateDue ??= setTimeout(() => {
      void this.run().finally(() => (this.lateDue = undefined))
    }, LATE_AFTER)
  }
}
