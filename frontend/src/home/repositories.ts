/** The order of the project table: repositories, with their worktrees beneath them. */
import type { ProjectItem } from '../wire'

export type ProjectSort = 'active' | 'name' | 'sessions' | 'cost'

export interface Repository {
  readonly project: ProjectItem
  readonly worktrees: readonly ProjectItem[]
}

const ORDERS: Readonly<Record<ProjectSort, (one: ProjectItem, other: ProjectItem) => number>> = {
  active: (one, other) => (other.last_active ?? '').localeCompare(one.last_active ?? ''),
  name: (one, other) => one.name.localeCompare(other.name, undefined, { sensitivity: 'base' }),
  sessions: (one, other) => other.sessions - one.sessions,
  cost: (one, other) => (other.cost_30d_usd ?? -1) - (one.cost_30d_usd ?? -1),
}

/** Put worktrees under their repository; one whose repository is not listed stands alone. */
export function groupRepositories(
  projects: readonly ProjectItem[],
  sort: ProjectSort,
  filter = '',
): Repository[] {
  const order = (one: ProjectItem, other: ProjectItem): number =>
    ORDERS[sort](one, other) || ORDERS.active(one, other) || one.id.localeCompare(other.id)
  const byPath = new Map(projects.filter((one) => !one.worktree_of).map((one) => [one.path, one]))
  const below = new Map<ProjectItem, ProjectItem[]>()
  const top: ProjectItem[] = []
  for (const project of [...projects].sort(order)) {
    const parent = project.worktree_of ? byPath.get(project.worktree_of) : undefined
    if (parent) {
      below.set(parent, [...(below.get(parent) ?? []), project])
    } else {
      top.push(project)
    }
  }
  const words = filter.trim().toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (project: ProjectItem): boolean => {
    const text = `${project.name} ${project.path ?? ''} ${project.git_branch ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return top.flatMap((project) => {
    const worktrees = below.get(project) ?? []
    const found = fits(project) ? worktrees : worktrees.filter(fits)
    return fits(project) || found.length ? [{ project, worktrees: found }] : []
  })
}

const FEWEST = 6
const FEWEST_FOLDED = 4
const QUIET_AFTER = 30 * 86_400_000

/** Tell repositories of the last 30 days from older ones; a few stay in sight in any case. */
export function splitOlder(
  repositories: readonly Repository[],
  now: Date,
): { recent: Repository[]; older: Repository[] } {
  const lastActive = ({ project, worktrees }: Repository): number =>
    Math.max(...[project, ...worktrees].map((one) => Date.parse(one.last_active ?? '') || 0))
  const byAge = [...repositories].sort((one, other) => lastActive(other) - lastActive(one))
  const quiet = byAge.slice(FEWEST).filter((one) => lastActive(one) < now.getTime() - QUIET_AFTER)
  const folded = new Set(quiet.length < FEWEST_FOLDED ? [] : quiet)
  return {
    recent: repositories.filter((one) => !folded.has(one)),
    older: repositories.filter((one) => folded.has(one)),
  }
}

/** Say what bars show: 9 active days, most on 12 Nov. */
export function describeBars(days: readonly number[], today: Date, day: (date: Date) => string): string {
  const active = days.filter((number) => number > 0).length
  if (active === 0) {
    return 'No active days in the last 30'
  }
  const most = days.indexOf(Math.max(...days))
  const date = new Date(today)
  date.setDate(date.getDate() - (days.length - 1 - most))
  return `${active} active ${active === 1 ? 'day' : 'days'}, most on ${day(date)}`
}

/** Find the projects that nothing shown of them tells from another. */
export function findAlike(projects: readonly ProjectItem[]): ReadonlySet<string> {
  const look = (one: ProjectItem): string => JSON.stringify([one.name, one.path, one.worktree_of])
  const counts = new Map<string, number>()
  for (const one of projects) {
    counts.set(look(one), (counts.get(look(one)) ?? 0) + 1)
  }
  return new Set(projects.filter((one) => (counts.get(look(one)) ?? 0) > 1).map((one) => one.id))
}
