/** The stream as rows: a call and its result are one thing, and each has a mark. */
import type { LiveMessage } from '../wire'

/** Leave out calls whose result is there: it says the same and how it ended. Newest first. */
export function listStreamRows(said: readonly LiveMessage[]): LiveMessage[] {
  const results = new Map<string, LiveMessage[]>()
  return said.filter((one) => {
    const call = `${one.session} ${one.agent ?? ''} ${one.tool ?? ''}`
    const ended = results.get(call) ?? []
    if (one.kind === 'result') {
      results.set(call, [...ended, one])
      return true
    }
    const result = one.kind === 'tool' ? ended.find((other) => other.words.startsWith(one.words)) : undefined
    if (result) {
      results.set(
        call,
        ended.filter((other) => other !== result),
      )
    }
    return result === undefined
  })
}

const MARKS: Readonly<Record<string, string>> = {
  thinking: '~',
  prompt: '◉',
  tool: '●',
  result: '✓',
  agent: '◆',
  compaction: '≈',
}

export function streamMark(one: Pick<LiveMessage, 'kind' | 'failed'>): string {
  return one.failed ? '✗' : (MARKS[one.kind] ?? '')
}
