/** Puts the command that goes on with a session on the clipboard. */
import { getJson, describeError } from '../api'
import { copyText, showToast } from '../ui/toast.svelte'
import type { SessionDetails } from '../wire'

export async function copyResume(id: string, known?: string): Promise<void> {
  try {
    const resume = known ?? (await getJson<SessionDetails>(`/api/sessions/${encodeURIComponent(id)}`)).resume
    await copyText(resume, 'Resume command')
  } catch (error) {
    showToast(describeError(error), { failed: true })
  }
}
