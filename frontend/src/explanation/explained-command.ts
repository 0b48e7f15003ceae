/** The command that explains the same cost; only some of the costs on a page have one. */
import type { ExplanationAnswer } from '../wire'
import type { CostScope } from './explained-cost.svelte'

export function writeCommand(scope: CostScope, answer: Pick<ExplanationAnswer, 'session'>): string | null {
  const range = [
    scope.since ? `--since ${scope.since}` : '',
    scope.until ? `--until ${scope.until}` : '',
    scope.zone ? `--zone ${scope.zone}` : '',
  ].filter(Boolean)
  if (!scope.session) {
    return ['bough usage model', ...range, ...(scope.project ? [`--project ${scope.project}`] : [])].join(' ')
  }
  const explain = `bough usage --explain ${answer.session ?? scope.session}`
  if (scope.part === 'path' && scope.tip && !scope.agent && !scope.to) {
    return `${explain} --tip ${scope.tip}`
  }
  return scope.part || scope.by || range.length ? null : explain
}
