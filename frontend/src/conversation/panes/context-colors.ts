/** The colour of a part of the context, by what it is. */
const COLORS: readonly (readonly [RegExp, string])[] = [
  [/tool|result/i, 'tool'],
  [/summary|kept|compact/i, 'compaction'],
  [/repl|claude|answer|assistant/i, 'active'],
  [/prompt|you|user/i, 'user'],
  [/think|thought/i, 'think'],
  [/agent/i, 'agent'],
]

export function contextColor(name: string): string {
  return COLORS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
}
