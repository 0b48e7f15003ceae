/** Puts the command that goes on with a session on the clipboard. */
import { get as ask, sentence } from '../api'
import { copy, toast } from '../ui/toast'
import type { SessionDetails } from '../wire'

export async function copyResume(id: string, known?: string): Promise<void> {
  try {
    const resume = known ?? (await ask<SessionDetails>(`/api/sessions/${encodeURIComponent(id)}`)).resume
    await copy(resume, 'Resume command')
  } catch (error) {
    toast(sentence(error), { failed: true })
  }
}
