/** Which cost is being explained: whatever shows a cost opens the same panel. */
export interface CostScope {
  /** What the panel is called: a title, a project, a range. */
  readonly title: string
  readonly session?: string
  readonly project?: string
  readonly since?: string
  readonly until?: string
  readonly zone?: string
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
