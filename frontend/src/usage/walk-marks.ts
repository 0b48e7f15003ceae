/** A chart is one stop of the Tab key; arrows walk from mark to mark inside it. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Let arrows walk through the links of a picture; `down` says how far one row is, where there are rows. */
export function walkMarks(down = 1): (picture: SVGElement) => () => void {
  return (picture) => {
    const list = (): SVGAElement[] => [...picture.querySelectorAll<SVGAElement>('a')]
    const makeStop = (wanted: SVGAElement | undefined): void => {
      for (const mark of list()) {
        mark.setAttribute('tabindex', mark === wanted ? '0' : '-1')
      }
    }
    const move = (event: KeyboardEvent): void => {
      const marks = list()
      const at = marks.findIndex((mark) => mark === event.target)
      const vertical = event.key === 'ArrowDown' || event.key === 'ArrowUp'
      const step = (STEPS[event.key] ?? 0) * (vertical ? down : 1)
      const target =
        event.key === 'Home'
          ? marks[0]
          : event.key === 'End'
            ? marks.at(-1)
            : step
              ? marks[at + step]
              : undefined
      if (at >= 0 && (step || event.key === 'Home' || event.key === 'End')) {
        event.preventDefault()
        event.stopPropagation()
        if (target) {
          makeStop(target)
          target.focus()
        }
      }
    }
    const stop = (event: FocusEvent): void => {
      if (event.target instanceof SVGAElement) makeStop(event.target)
    }
    // New marks come with new data; the last of them, the newest, is where Tab arrives.
    const watch = new MutationObserver(() => {
      if (!list().some((mark) => mark.getAttribute('tabindex') === '0')) makeStop(list().at(-1))
    })
    makeStop(list().at(-1))
    watch.observe(picture, { childList: true, subtree: true })
    picture.addEventListener('keydown', move)
    picture.addEventListener('focusin', stop)
    return () => {
      watch.disconnect()
      picture.removeEventListener('keydown', move)
      picture.removeEventListener('focusin', stop)
    }
  }
}
