/**
 * Puts the command that goes on with a session on the clipboard.
 *
 * No client can resume a session whose file is gone: what restores it is offered then, where anything can.
 */
import { getJson, describeError } from '../api'
import { copyText, showToast } from '../ui/toast.svelte'
import type { SessionDetails } from '../wire'

type Resumable = Pick<SessionDetails, 'resume' | 'resume_note' | 'resume_kind'>

/** Name what is copied, as a button says it; empty where there is nothing. */
export function nameCommand(kind: SessionDetails['resume_kind']): string {
  return kind === 'none' ? '' : `${kind} command`
}

/** Copy the command of a session; the note says what is gone, its folder or its file. */
export async function copyResume(id: string, known?: Resumable): Promise<void> {
  try {
    const found = known ?? (await getJson<SessionDetails>(`/api/sessions/${encodeURIComponent(id)}`))
    await copyKnownResume(found)
  } catch (error) {
    showToast(describeError(error), { failed: true })
  }
}

/** Copy a command that is known; say why there is none. */
export async function copyKnownResume(found: Resumable): Promise<void> {
  const name = nameCommand(found.resume_kind)
  if (name) {
    await copyText(found.resume, name.charAt(0).toUpperCase() + name.slice(1), found.resume_note)
  } else {
    showToast(found.resume_note, { failed: true })
  }
}
