/**
 * Runs a task, and once more when it was asked for while it ran.
 *
 * Ten changes in a row are then two questions and not ten, and none of them is missed.
 */
export function runOnceMore(task: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  let isWanted = false
  return async () => {
    isWanted = true
    if (isRunning) {
      return
    }
    isRunning = true
    try {
      while (isWanted) {
        isWanted = false
        await task()
      }
    } finally {
      isRunning = false
    }
  }
}
