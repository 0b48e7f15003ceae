/** Short messages that go away by themselves: what was done, and perhaps one thing to do about it. */
import { readonly, writable } from 'svelte/store'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly failed: boolean
  readonly action: { readonly label: string; readonly run: () => void } | null
}

const LASTS = 4_000
const list = writable<readonly Toast[]>([])
export const toasts = readonly(list)
let made = 0

export function showToast(
  text: string,
  { failed = false, action = null }: Partial<Omit<Toast, 'id' | 'text'>> = {},
): void {
  made += 1
  const mine: Toast = { id: made, text, failed, action }
  list.update((all) => [...all.slice(-2), mine])
  setTimeout(() => dismissToast(mine.id), failed || action ? 2 * LASTS : LASTS)
}

export function dismissToast(id: number): void {
  list.update((all) => all.filter((one) => one.id !== id))
}

/** Put text on the clipboard and say so; `what` completes "copied". */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(`${what} copied.`)
  } catch {
    if (byHand(text)) {
      showToast(`${what} copied.`)
    } else {
      showToast('The browser does not allow copying here. Select the text and copy it by hand.', {
        failed: true,
      })
    }
  }
}

/** Copy where the page has no clipboard of its own: addresses that are neither https nor local. */
function byHand(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'unseen'
  document.body.append(area)
  area.select()
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way left on such pages
  const done = document.execCommand('copy')
  area.remove()
  return done
}
