import { describe, expect, it } from 'vitest'

import { writeCommand } from './explained-command'
import type { CostScope } from './explained-cost.svelte'

const cases: readonly (readonly [Omit<CostScope, 'title'>, string | null])[] = [
  [{ session: 'abc~2' }, 'bough usage --explain abc'],
  [{ session: 'abc', part: 'path', tip: 'tip' }, 'bough usage --explain abc --tip tip'],
  [{ session: 'abc', part: 'path', tip: 'tip', agent: 'one' }, null],
  [{ session: 'abc', part: 'turn', at: 'turn' }, null],
  [{ session: 'abc', since: '6d' }, null],
  [{ since: '6d', zone: 'UTC', project: 'shop' }, 'bough usage model --since 6d --zone UTC --project shop'],
]

describe('writeCommand', () => {
  it.each(cases)('of %o is %s', (scope, command) => {
    expect(writeCommand({ title: '', ...scope }, { session: scope.session ? 'abc' : null })).toBe(command)
  })
})
