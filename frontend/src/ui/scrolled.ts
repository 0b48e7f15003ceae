/**
 * A part of the page that scrolls is reached by keyboard, and only where it does scroll: elsewhere
 * it would be a stop at which nothing can be done.
 */

/** Make an element a stop named so while it has more than it shows. */
export function stopWhereScrolled(label: string): (element: HTMLElement) => () => void {
  return (element) => {
    const look = (): void => {
      if (element.scrollHeight > element.clientHeight) {
        element.tabIndex = 0
        element.setAttribute('role', 'group')
        element.setAttribute('aria-label', label)
      } else {
        for (const name of ['tabindex', 'role', 'aria-label']) element.removeAttribute(name)
      }
    }
    const watch = new ResizeObserver(look)
    watch.observe(element)
    return () => {
      watch.disconnect()
    }
  }
}
