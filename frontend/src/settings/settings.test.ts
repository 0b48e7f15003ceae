import { describe, expect, test } from 'vitest'

import type { SettingItem, SettingsAnswer } from '../wire'
import { findSettings, parsePrice } from './settings'

function setting(name: string, section: string, label: string): SettingItem {
  return {
    name,
    section,
    label,
    kind: 'choice',
    about: '',
    options: [],
    least: 0,
    most: 1,
    unit: '',
    source: 'default',
    fixed: '',
    text: null,
    number: null,
    folders: [],
    prices: [],
  }
}

const answer = {
  settings: [
    setting('theme', 'Reading', 'Theme'),
    setting('clock', 'Times', 'Clock'),
    setting('density', 'Reading', 'Density'),
  ],
} as unknown as SettingsAnswer

describe('settings stand in their sections', () => {
  test('all of them where nothing is typed', () =>
    expect(findSettings(answer, ' ').map((one) => [one.name, one.settings.length])).toEqual([
      ['Reading', 2],
      ['Times', 1],
    ]))
  test('those that have every word', () => {
    expect(findSettings(answer, 'read DENS').map((one) => one.settings[0]?.name)).toEqual(['density'])
    expect(findSettings(answer, 'nothing')).toEqual([])
  })
})

test.each([
  ['4', 4],
  [' 0,5 ', 0.5],
  ['0', 0],
  ['', null],
  ['-1', null],
  ['much', null],
  ['Infinity', null],
])('a price of "%s" is %s', (text, number) => expect(parsePrice(text)).toBe(number))
