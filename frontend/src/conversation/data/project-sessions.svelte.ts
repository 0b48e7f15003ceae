/** The sessions of the project that is read: what goes on first, then the newest. */
import { getJson, isAbort } from '../../api'
import { onEvent, onReturn } from '../../events.svelte'
import type { SessionItem, SessionsAnswer } from '../../wire'

const MOST = 500
const AGAIN_AFTER = 2_000

export class ProjectSessions {
  rows = $state.raw<readonly SessionItem[] | null>(null)
  total = $state(0)
  private project = ''
  private due: ReturnType<typeof setTimeout> | undefined

  /** Ask for the sessions of a project; those of another are forgotten. */
  async load(project: string): Promise<void> {
    if (project !== this.project) {
      this.rows = null
      this.project = project
    }
    try {
      const answer = await getJson<SessionsAnswer>('/api/sessions', { project, sort: 'state', limit: MOST })
      if (project === this.project) {
        this.rows = answer.rows
        this.total = answer.total
      }
    } catch (error) {
      if (!isAbort(error) && this.rows === null) {
        this.project = ''
      }
    }
  }

  /** The session before or after another one; undefined at the ends. */
  async findBeside(project: string, session: string, by: 1 | -1): Promise<SessionItem | undefined> {
    if (this.rows === null || project !== this.project) {
      await this.load(project)
    }
    const at = this.rows?.findIndex((row) => row.id === session) ?? -1
    return at < 0 ? undefined : this.rows?.[at + by]
  }

  /** Keep the list as it is now; returns what ends it. */
  follow(): () => void {
    const soon = (): void => {
      this.due ??= setTimeout(() => {
        this.due = undefined
        if (this.project) {
          void this.load(this.project)
        }
      }, AGAIN_AFTER)
    }
    const offs = [onEvent('live', soon), onEvent('gone', soon), onEvent('index', soon), onReturn(soon)]
    return () => {
      offs.forEach((off) => off())
      clearTimeout(this.due)
      this.due = undefined
    }
  }
}
