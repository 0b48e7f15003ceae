import { expect, test } from 'vitest'

import type { LiveMessage } from '../wire'
import { streamMark, listStreamRows } from './stream-rows'

const said = (kind: string, words: string, extra: Partial<LiveMessage> = {}): LiveMessage =>
  ({ session: 'a', agent: null, kind, words, tool: 'Read', failed: false, ...extra }) as LiveMessage

test('a call and its result are one row, a call that still runs is one too', () => {
  const rows = listStreamRows([
    said('tool', 'c.py'),
    said('result', 'b.py 1–20'),
    said('result', 'a.py'),
    said('tool', 'b.py'),
    said('tool', 'a.py'),
    said('tool', 'a.py', { session: 'other' }),
  ])
  expect(rows.map((one) => [one.kind, one.words])).toEqual([
    ['tool', 'c.py'],
    ['result', 'b.py 1–20'],
    ['result', 'a.py'],
    ['tool', 'a.py'],
  ])
})

test('two equal calls with one result leave one that runs', () =>
  expect(listStreamRows([said('result', 'x'), said('tool', 'x'), said('tool', 'x')])).toHaveLength(2))

test.each([
  ['result', false, '✓'],
  ['result', true, '✗'],
  ['tool', false, '●'],
  ['text', false, ''],
])('%s, failed %s, has the mark %s', (kind, failed, sign) => expect(streamMark({ kind, failed })).toBe(sign))
