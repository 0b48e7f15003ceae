/** What the list of sessions is asked for, and how it stands in the address. */
import { formatModel } from '../formats'
import { buildAddress } from '../routes.svelte'

export interface SessionQuery {
  readonly project: string
  readonly state: string
  readonly kind: string
  readonly since: string
  readonly until: string
  readonly model: string
  readonly branch: string
  readonly machine: string
  readonly member: string
  readonly starred: string
  readonly sort: string
  readonly filter: string
}

export interface Option {
  readonly value: string
  readonly label: string
}

export const STATES: readonly Option[] = [
  { value: '', label: 'any' },
  { value: 'live', label: 'going on' },
  { value: 'waiting', label: 'waits for you' },
  { value: 'working,background,compacting', label: 'working' },
  { value: 'finished', label: 'finished' },
  { value: 'interrupted', label: 'interrupted' },
  { value: 'failed', label: 'failed' },
  { value: 'deleted', label: 'deleted by the client' },
]

export const KINDS: readonly Option[] = [
  { value: '', label: 'any' },
  { value: 'main', label: 'led by a person' },
  { value: 'sdk', label: 'led by a program' },
  { value: 'plan', label: 'plan' },
  { value: 'implementation', label: 'built from a plan' },
]

export const SINCE: readonly Option[] = [
  { value: '', label: 'any time' },
  { value: 'today', label: 'today' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
]

export const STARS: readonly Option[] = [
  { value: '', label: 'any' },
  { value: 'true', label: 'starred' },
]

export const SORTS: readonly Option[] = [
  { value: 'newest', label: 'newest' },
  { value: 'oldest', label: 'oldest' },
  { value: 'cost', label: 'cost' },
  { value: 'turns', label: 'turns' },
  { value: 'title', label: 'title' },
]

export function parseQuery(params: URLSearchParams): SessionQuery {
  const known = (name: string, options: readonly Option[]): string => {
    const value = params.get(name) ?? ''
    return options.some((option) => option.value === value) ? value : (options[0]?.value ?? '')
  }
  return {
    project: params.get('project') ?? '',
    state: known('state', STATES),
    kind: known('kind', KINDS),
    since: params.get('since') ?? '',
    until: params.get('until') ?? '',
    model: params.get('model') ?? '',
    branch: params.get('branch') ?? '',
    machine: params.get('machine') ?? '',
    member: params.get('member') ?? '',
    starred: known('starred', STARS),
    sort: known('sort', SORTS),
    filter: params.get('filter') ?? '',
  }
}

/** The values that a list can be narrowed to, and the one it is narrowed to, whatever it is. */
export function listOptions(
  values: readonly string[],
  value: string,
  label: (value: string) => string = (one) => one,
): Option[] {
  const all = value && !values.includes(value) ? [value, ...values] : values
  return [{ value: '', label: 'any' }, ...all.map((one) => ({ value: one, label: label(one) }))]
}

/** Write the address of a query; what does not narrow is left out. */
export function queryAddress(query: SessionQuery): string {
  return buildAddress('/sessions', { ...query, sort: query.sort === 'newest' ? '' : query.sort })
}

export interface Narrowing {
  readonly name: keyof SessionQuery
  readonly label: string
}

/** List what narrows the list, for the chips that take it away. */
export function listNarrowings(query: SessionQuery, project: string): Narrowing[] {
  const label = (options: readonly Option[], value: string): string =>
    options.find((option) => option.value === value)?.label ?? value
  const all: readonly (Narrowing & { readonly on: string })[] = [
    { name: 'project', on: query.project, label: `Project: ${project}` },
    { name: 'state', on: query.state, label: `State: ${label(STATES, query.state)}` },
    { name: 'kind', on: query.kind, label: `Kind: ${label(KINDS, query.kind)}` },
    { name: 'since', on: query.since, label: `Since: ${label(SINCE, query.since)}` },
    { name: 'until', on: query.until, label: `Until: ${query.until}` },
    { name: 'model', on: query.model, label: `Model: ${formatModel(query.model)}` },
    { name: 'branch', on: query.branch, label: `Branch: ${query.branch}` },
    { name: 'member', on: query.member, label: `Owner: ${query.member}` },
    { name: 'machine', on: query.machine, label: `Machine: ${query.machine}` },
    { name: 'starred', on: query.starred, label: 'Starred' },
    { name: 'filter', on: query.filter, label: `“${query.filter}”` },
  ]
  return all.filter((one) => one.on !== '').map(({ name, label: words }) => ({ name, label: words }))
}
