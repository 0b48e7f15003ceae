import { expect, test } from 'vitest'

import { describeIndexing } from './about.svelte'

test('the line under the bar says how far indexing is and what works meanwhile', () => {
  const index = { state: 'building', done: 1_204, total: 8_310, seconds_left: 40, sentence: null } as const
  expect(describeIndexing(index)).toBe(
    'Indexing 1,204 of 8,310 files, 40 s left. Lists fill as it goes, search is partial.',
  )
})

test('no time is named where there is none left', () => {
  const index = { state: 'building', done: 129, total: 129, seconds_left: 0.004, sentence: null } as const
  expect(describeIndexing(index)).toBe('Indexing 129 of 129 files. Lists fill as it goes, search is partial.')
})

test('a complete index says nothing', () =>
  expect(describeIndexing({ state: 'ready', done: 5, total: 5, seconds_left: null, sentence: null })).toBe(
    '',
  ))
