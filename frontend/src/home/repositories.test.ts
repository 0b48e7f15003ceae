import { describe, expect, test } from 'vitest'

import type { ProjectItem } from '../wire'
import { describeBars, findAlike, groupRepositories, splitOlder } from './repositories'

const project = (name: string, extra: Partial<ProjectItem> = {}): ProjectItem => ({
  id: `-${name}`,
  name,
  path: `/home/dev/${name}`,
  worktree_of: null,
  gone: false,
  git_branch: null,
  sessions: 1,
  last_active: '2026-11-15T10:00:00Z',
  cost_30d_usd: 1,
  unpriced_models: [],
  days: [],
  starred: false,
  hidden: false,
  machine: null,
  owner: null,
  ...extra,
})

const shape = (rows: ReturnType<typeof groupRepositories>): unknown =>
  rows.map((row) => [row.project.name, row.worktrees.map((worktree) => worktree.name)])

describe('the project table', () => {
  test('names the folders of projects that look alike', () => {
    const twins = [
      project('tides', { id: 'C--tides' }),
      project('tides', { id: 'c--tides' }),
      project('shop'),
    ]
    expect([...findAlike(twins)]).toEqual(['C--tides', 'c--tides'])
  })

  const projects = [
    project('fix-tax', { worktree_of: '/home/dev/shop', last_active: '2026-11-15T12:00:00Z' }),
    project('lantern', { last_active: '2026-11-15T11:00:00Z', sessions: 9, cost_30d_usd: null }),
    project('shop'),
    project('lost', { worktree_of: '/elsewhere', last_active: '2026-11-01T11:00:00Z' }),
  ]

  test('puts worktrees under their repository, and those without one beside it', () =>
    expect(shape(groupRepositories(projects, 'active'))).toEqual([
      ['lantern', []],
      ['shop', ['fix-tax']],
      ['lost', []],
    ]))

  test.each([
    ['name', ['lantern', 'lost', 'shop']],
    ['sessions', ['lantern', 'shop', 'lost']],
    ['cost', ['shop', 'lost', 'lantern']],
  ] as const)('sorts by %s', (sort, names) =>
    expect(groupRepositories(projects, sort).map((row) => row.project.name)).toEqual(names),
  )

  test('keeps the repository of a worktree that fits a filter', () =>
    expect(shape(groupRepositories(projects, 'active', 'TAX'))).toEqual([['shop', ['fix-tax']]]))
})

describe('older projects', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  const many = (count: number, last_active: string): ProjectItem[] =>
    Array.from({ length: count }, (_, at) => project(`${last_active}-${at}`, { last_active }))
  const split = (projects: ProjectItem[]): [number, number] => {
    const { recent, older } = splitOlder(groupRepositories(projects, 'name'), now)
    return [recent.length, older.length]
  }

  test('are those without activity in 30 days', () =>
    expect(split([...many(8, '2026-11-01T00:00:00Z'), ...many(114, '2026-09-01T00:00:00Z')])).toEqual([
      8, 114,
    ]))
  test('leave six in sight where nothing happened lately', () =>
    expect(split(many(20, '2025-09-01T00:00:00Z'))).toEqual([6, 14]))
  test('are not folded where they are few', () =>
    expect(split([...many(8, '2026-11-01T00:00:00Z'), ...many(3, '2026-09-01T00:00:00Z')])).toEqual([11, 0]))
})

describe('bars in words', () => {
  const day = (date: Date): string => `${date.getDate()}`
  const today = new Date(2026, 10, 15)

  test('name the busiest day', () =>
    expect(describeBars([0, 2, 5, 1], today, day)).toBe('3 active days, most on 14'))
  test('say when there was nothing', () =>
    expect(describeBars([0, 0], today, day)).toBe('No active days in the last 30'))
})
