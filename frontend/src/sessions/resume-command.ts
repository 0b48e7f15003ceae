/** Puts the command that goes on with a session on the clipboard. */
import { getJson, describeError } from '../api'
import { copyText, showToast } from '../ui/toast.svelte'
import type { SessionDetails } from '../wire'

type Resumable = Pick<SessionDetails, 'resume' | 'resume_note'>

/** Copy the command of a session; the note says where its folder is gone. */
export async function copyResume(id: string, known?: Resumable): Promise<void> {
  try {
    const found = known ?? (await getJson<SessionDetails>(`/api/sessions/${encodeURIComponent(id)}`))
    await copyText(found.resume, 'Resume command', found.resume_note)
  } catch (error) {
    showToast(describeError(error), { failed: true })
  }
}
