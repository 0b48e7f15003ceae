import { expect, test } from 'vitest'

import { titled } from './title'

test.each([
  ['Make the CSV import resumable', 1, '(1) Make the CSV import resumable · bough'],
  ['Home', 0, 'Home · bough'],
  ['', 0, 'bough'],
])('the tab of %s with %d waiting is %s', (name, waits, text) => expect(titled(name, waits)).toBe(text))
