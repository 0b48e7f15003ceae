/**
 * What the page is of: the history of one machine, or that of a team, and then who reads it.
 *
 * A team's store has no files, settings or archive, so what is about those is not offered: no place,
 * no key, no button leads there.
 */
import { token } from './api'
import type { ActionName } from './keymap'
import type { Screen } from './routes.svelte'
import type { About } from './wire'

const KEPT_UNDER = 'bough.member'

/** What is done to the files of one machine, or shows what goes on there. */
const MACHINE_ACTIONS: ReadonlySet<ActionName> = new Set([
  'live',
  'settings',
  'archive',
  'keepCopies',
  'verify',
  'restore',
  'forget',
  'fork',
  'makeActive',
  'rename',
  'undo',
  'health',
  'follow',
  'hide',
])

const MACHINE_SCREENS: Readonly<Partial<Record<Screen, string>>> = {
  live: 'Live shows what goes on',
  settings: 'Settings are those',
  archive: 'The archive is that',
  health: 'Health is that of the files',
  history: 'This history is of changes',
}

class Team {
  /** Who reads; null where it is the history of one machine. */
  member = $state.raw<string | null>(readMember())
  canLogOut = $state(false)

  get isTeam(): boolean {
    return this.member !== null
  }

  /** Take over who the server says one is; kept, so that the next page is right from its first moment. */
  update(about: Pick<About, 'member' | 'can_log_out'>): void {
    this.member = about.member
    this.canLogOut = about.can_log_out
    writeMember(about.member)
  }
}

export const team = new Team()

/** Tell whether an action can be done with the history that is shown. */
export function isOffered(name: ActionName): boolean {
  return !team.isTeam || !MACHINE_ACTIONS.has(name)
}

/** Say why a screen is not there; empty where it is. */
export function describeMissing(screen: Screen): string {
  const subject = team.isTeam ? MACHINE_SCREENS[screen] : undefined
  return subject === undefined
    ? ''
    : `${subject} of one machine, and this is the history of a team: run bough web on that machine.`
}

/** End this stay, and go where one comes in. */
export async function logOut(): Promise<void> {
  await fetch('/logout', {
    method: 'POST',
    headers: { 'X-Bough-Token': token() },
    credentials: 'same-origin',
  })
  writeMember(null)
  location.assign('/login')
}

function readMember(): string | null {
  try {
    return localStorage.getItem(KEPT_UNDER)
  } catch {
    return null
  }
}

function writeMember(member: string | null): void {
  try {
    if (member === null) {
      localStorage.removeItem(KEPT_UNDER)
    } else {
      localStorage.setItem(KEPT_UNDER, member)
    }
  } catch {
    // Private windows may refuse; the server says it again.
  }
}
