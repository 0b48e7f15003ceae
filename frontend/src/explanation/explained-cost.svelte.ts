/** Which cost is being explained: whatever shows a cost opens the same panel. */
import type { ExplanationQuery } from '../wire'

type CostQuery = Omit<ExplanationQuery, 'first' | 'limit'>

/** What the server is asked, and what the panel is called: a title, a project, a range. */
export type CostScope = { readonly title: string } & {
  readonly [name in keyof CostQuery]?: CostQuery[name] | null | undefined
}

let scope = $state.raw<CostScope | null>(null)

export const explainedCost = {
  get scope(): CostScope | null {
    return scope
  },
}

export function openExplanation(wanted: CostScope): void {
  scope = wanted
}

export function closeExplanation(): void {
  scope = null
}
