/** What the reader shows beside and within the words, and what the window has space for. */
import { MediaQuery } from 'svelte/reactivity'

import { Setting } from '../settings.svelte'

/** What stands left of the words. */
export type LeftTab = 'prompts' | 'sessions'

const ON_OFF = [true, false] as const

export const viewSettings = {
  outline: new Setting<boolean>('outline', true, ON_OFF),
  leftTab: new Setting<LeftTab>('leftTab', 'prompts', ['prompts', 'sessions']),
  facts: new Setting<boolean>('facts', true, ON_OFF),
  thinking: new Setting<boolean>('thinking', true, ON_OFF),
  talk: new Setting<boolean>('talk', false, ON_OFF),
  wrap: new Setting<boolean>('wrap', false, ON_OFF),
}

export const windowFits = {
  outline: new MediaQuery('(min-width: 1000px)'),
  facts: new MediaQuery('(min-width: 1240px)'),
}

export const phone = new MediaQuery('(max-width: 760px)')
