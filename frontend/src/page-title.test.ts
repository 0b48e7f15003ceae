import { expect, test } from 'vitest'

import { formatTitle } from './page-title.svelte'

test.each([
  ['Make the CSV import resumable', 1, '(1) Make the CSV import resumable · bough'],
  ['Home', 0, 'Home · bough'],
  ['', 0, 'bough'],
])('the tab of %s with %d waiting is %s', (name, waits, text) => expect(formatTitle(name, waits)).toBe(text))
