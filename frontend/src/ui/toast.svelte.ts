/** Short messages that go away by themselves: what was done, and perhaps one thing to do about it. */
export interface Toast {
  readonly id: number
  readonly text: string
  readonly failed: boolean
  readonly action: { readonly label: string; readonly run: () => void } | null
}

const LASTS = 4_000
/** Who reads slowly reads about fifteen letters a second. */
const LASTS_PER_LETTER = 65
let list = $state.raw<readonly Toast[]>([])

export const toasts = {
  get list(): readonly Toast[] {
    return list
  },
}

let count = 0

export function showToast(
  text: string,
  { failed = false, action = null }: Partial<Omit<Toast, 'id' | 'text'>> = {},
): void {
  count += 1
  const mine: Toast = { id: count, text, failed, action }
  // Said again, it stands there once: two alike would only cover more of the page.
  list = [...list.filter((one) => one.text !== text).slice(-2), mine]
  const lasts = Math.max(failed || action ? 2 * LASTS : LASTS, text.length * LASTS_PER_LETTER)
  setTimeout(() => dismissToast(mine.id), lasts)
}

export function dismissToast(id: number): void {
  list = list.filter((one) => one.id !== id)
}

/** Put text on the clipboard and say so; `what` completes "copied". */
export async function copyText(text: string, what: string, note = ''): Promise<void> {
  if (await writeClipboard(text)) {
    showToast(`${what} copied.${note ? ` ${note}` : ''}`)
  } else {
    showToast('The browser does not allow copying here. Select the text and copy it by hand.', {
      failed: true,
    })
  }
}

/** Put text on the clipboard; tells whether the browser let us. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Copy where the page has no clipboard of its own: addresses that are neither https nor local. */
function copyBySelection(text: string): boolean {
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
