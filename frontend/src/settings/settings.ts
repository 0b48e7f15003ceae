/** What the page of settings shows: sections of rows, those with the words that were typed. */
import type { SettingItem, SettingsAnswer } from '../wire'

/** What can be sent for a setting; null takes the choice back. */
export type SettingValue =
  | string
  | boolean
  | number
  | readonly string[]
  | Readonly<Record<string, Readonly<Record<string, number>> | null>>
  | null

export interface SettingSection {
  readonly name: string
  readonly settings: readonly SettingItem[]
}

export function findSettings(answer: SettingsAnswer, words: string): SettingSection[] {
  const wanted = words.trim().toLowerCase().split(/\s+/).filter(Boolean)
  const found = answer.settings.filter((one) => {
    const text = `${one.section} ${one.label} ${one.name} ${one.about}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  const names = [...new Set(found.map((one) => one.section))]
  return names.map((name) => ({ name, settings: found.filter((one) => one.section === name) }))
}

/** Read a price as it was typed; null where it is none. */
export function parsePrice(text: string): number | null {
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && Number.isFinite(number) && number >= 0 ? number : null
}
