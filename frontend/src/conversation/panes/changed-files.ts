/** Finds the file a mention means among those a conversation changed. */
import type { FileFact } from '../../wire'

/** The file itself, else the one whose path ends with what was typed; of several the shortest. */
export function findFile(files: readonly FileFact[], typed: string): FileFact | null {
  const wanted = typed
    .replaceAll('\\', '/')
    .replace(/^\.\//, '')
    .replace(/:\d+(-\d+)?$/, '')
  const path = (file: FileFact): string => file.path.replaceAll('\\', '/')
  const exact = files.find((file) => path(file) === wanted)
  if (exact) {
    return exact
  }
  const ending = files.filter(
    (file) => path(file).endsWith(`/${wanted}`) || wanted.endsWith(`/${path(file)}`),
  )
  return ending.sort((one, other) => one.path.length - other.path.length)[0] ?? null
}
