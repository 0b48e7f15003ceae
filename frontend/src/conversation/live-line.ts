/**
 * What Claude is doing now: the calls that run have a clock, and the last line names one of them.
 *
 * Rows come from the server and say that a call has no result yet; only a session that works now
 * makes a running call of it, and only in its last turn.
 */
import { formatElapsed } from '../formats'
import { secondsSince } from '../ui/clock.svelte'
import type { LiveSession } from '../wire'
import { listTurn, type Conversation } from './data/conversation'

export interface RunningCall {
  readonly words: string
  readonly seconds: number | null
}

type LiveState = Pick<LiveSession, 'state' | 'sure' | 'since'>

/** Whether Claude works on the conversation that is open. */
export function isWorking(data: Conversation | null, live: Pick<LiveSession, 'state'> | null): boolean {
  return data !== null && data.active && data.agent === null && live?.state === 'working'
}

/** Let the clocks of running calls say how long they run; gives the last of them. */
export function tickCalls(root: ParentNode, running: ReadonlySet<string>, now: Date): RunningCall | null {
  let last: RunningCall | null = null
  for (const mark of root.querySelectorAll<HTMLElement>('[data-since]')) {
    const { since = '', call = '' } = mark.dataset
    const isRunning = running.has(mark.closest<HTMLElement>('.slot')?.dataset['piece'] ?? '')
    const seconds = secondsSince(since, now)
    const words = isRunning ? `running${seconds === null ? '' : ` ${formatElapsed(seconds)}`}` : 'no result'
    if (mark.textContent !== words) {
      mark.textContent = words
    }
    mark.closest('.step')?.classList.toggle('is-running', isRunning)
    last = isRunning ? { words: call, seconds } : last
  }
  return last
}

/** The pieces in which calls may run: those of the last turn, while Claude works. */
export function findRunningPieces(
  data: Conversation | null,
  live: Pick<LiveSession, 'state'> | null,
): ReadonlySet<string> {
  return new Set(data && isWorking(data, live) ? listTurn(data, data.keys.length - 1) : [])
}

/** Claude is working: Bash pytest -q, 0:14. */
export function describeWork(live: LiveState, call: RunningCall | null, now: Date): string {
  const who = live.sure ? 'Claude is working' : 'Claude is probably working'
  const seconds = call ? call.seconds : secondsSince(live.since, now)
  const clock = seconds === null ? '' : `, ${formatElapsed(seconds)}`
  return `${who}${call?.words ? `: ${call.words}` : ''}${clock}`
}
