import { describe, expect, test } from 'vitest'

import type { SearchHit } from '../wire'
import { countHits, groupHits, listHits, removeDuplicates } from './groups'
import { describeHitPlace, hitAddress, setHits, stepToHit, wordsToMark } from './hit-list.svelte'

const hit = (session: string, uuid: string, extra: Partial<SearchHit> = {}): SearchHit => ({
  session,
  uuid,
  project: 'p',
  project_name: 'orchard-shop',
  worktree_of: null,
  title: `Title of ${session}`,
  timestamp: '2026-11-15T14:05:00Z',
  kind: 'text',
  role: 'assistant',
  tool: null,
  snippet: 'a checkpoint file',
  marks: [[2, 12]],
  active: true,
  agent: null,
  agent_type: null,
  failed: false,
  in_session: null,
  kept: null,
  ...extra,
})

describe('hits', () => {
  test('stand under their session, sessions in the order of their best hit', () => {
    const found = groupHits([hit('a', '1'), hit('b', '2'), hit('a', '3')])
    expect(found.map((group) => [group.session, group.hits.length])).toEqual([
      ['a', 2],
      ['b', 1],
    ])
    expect(listHits(found).map((one) => one.uuid)).toEqual(['1', '3', '2'])
    expect(found.flatMap((group) => group.hits.map((one) => one.number))).toEqual([0, 1, 2])
  })

  test('of a message that forks took along are one, over pages too', () => {
    const first = removeDuplicates([
      hit('a', '1'),
      hit('b', '1'),
      hit('a', '2'),
      hit('a', '1', { kind: 'thinking' }),
    ])
    const all = removeDuplicates([...first, hit('c', '1'), hit('b', '1'), hit('b', '3')])
    expect(all.map((one) => [one.session, one.uuid, one.also ?? []])).toEqual([
      ['a', '1', ['b', 'c']],
      ['a', '2', []],
      ['a', '1', []],
      ['b', '3', []],
    ])
    expect(countHits(all)).toBe(6)
  })

  test('without an id are never taken for each other', () => {
    expect(removeDuplicates([hit('a', '1', { uuid: null }), hit('b', '1', { uuid: null })])).toHaveLength(2)
  })

  test('are walked across sessions', async () => {
    const hits = listHits(groupHits([hit('a', '1'), hit('b', '2'), hit('a', '3', { agent: 'x' })]))
    setHits({ query: 'checkpoint', sort: 'best', hits, total: 3, exact: true, next: null })
    expect(await stepToHit({ session: 'a', uuid: '1', agent: null }, 1)).toBe('/s/a?at=3&agent=x')
    expect(await stepToHit({ session: 'a', uuid: '3', agent: 'x' }, 1)).toBe('/s/b?at=2')
    expect(await stepToHit({ session: 'b', uuid: '2', agent: null }, 1)).toBeNull()
    expect(await stepToHit({ session: 'b', uuid: '2', agent: null }, -1)).toBe('/s/a?at=3&agent=x')
  })

  test('know the words to mark', () => {
    setHits({ query: 'checkpoint', sort: 'best', hits: [hit('a', '1')], total: 1, exact: true, next: null })
    expect(wordsToMark({ session: 'a', uuid: '1', agent: null })).toEqual(['checkpoint'])
    expect(wordsToMark({ session: 'a', uuid: '2', agent: null })).toEqual([])
  })

  test('have an address that names the message', () => expect(hitAddress(hit('a', '1'))).toBe('/s/a?at=1'))
})

test('a hit says its number, and that of its session', () => {
  const hits = listHits(groupHits([hit('a', '1'), hit('b', '2'), hit('a', '3')]))
  const walk = { query: 'x', sort: 'best', hits, total: 180, exact: true, next: 'c', sessions: 12, at: 2 }
  expect(describeHitPlace(walk)).toBe('3 of 180, session 2 of 12')
  expect(describeHitPlace({ ...walk, exact: false, sessions: null })).toBe('3 of 180+, session 2')
})
