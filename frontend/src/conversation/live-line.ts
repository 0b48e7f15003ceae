/**
 * What Claude is doing now: the calls that run have a clock, and the last line names one of them.
 *
 * The words come from the server: rows say that a call has no result yet, the live session says what
 * Claude is doing. Only a session that works now makes a running call of a row, and only in its last turn.
 */
import { formatElapsed } from '../formats'
import { secondsSince } from '../ui/clock.svelte'
import type { LiveSession } from '../wire'
import { listTurn, type Conversation } from './data/conversation'

/** Whether Claude works on the conversation that is open. */
export function isWorking(data: Conversation | null, live: Pick<LiveSession, 'state'> | null): boolean {
  return data !== null && data.active && data.agent === null && live?.state === 'working'
}

/** Let the clocks of running calls say how long they run. */
export function tickCalls(root: ParentNode, running: ReadonlySet<string>, now: Date): void {
  for (const mark of root.querySelectorAll<HTMLElement>('[data-since]')) {
    const { since = '' } = mark.dataset
    const isRunning = running.has(mark.closest<HTMLElement>('.slot')?.dataset['piece'] ?? '')
    const seconds = secondsSince(since, now)
    const words = isRunning ? `running${seconds === null ? '' : ` ${formatElapsed(seconds)}`}` : 'no result'
    if (mark.textContent !== words) {
      mark.textContent = words
    }
    mark.closest('.step')?.classList.toggle('is-running', isRunning)
  }
}

/** The pieces in which calls may run: those of the last turn, while Claude works. */
export function findRunningPieces(
  data: Conversation | null,
  live: Pick<LiveSession, 'state'> | null,
): ReadonlySet<string> {
  return new Set(data && isWorking(data, live) ? listTurn(data, data.keys.length - 1) : [])
}

/** Claude is working: Bash pytest -q, 0:14. */
export function describeWork(live: Pick<LiveSession, 'doing' | 'doing_since'>, now: Date): string {
  const seconds = secondsSince(live.doing_since, now)
  const clock = seconds === null ? '' : `, ${formatElapsed(seconds)}`
  return live.doing ? `${live.doing}${clock}` : ''
}
