/** Hands numbers to the style sheet: our policy allows no style attribute, only properties set by script. */
export function setCssVariables(
  values: Readonly<Record<`--${string}`, string | number>>,
): (element: HTMLElement | SVGElement) => void {
  return (element) => {
    for (const [name, value] of Object.entries(values)) {
      element.style.setProperty(name, String(value))
    }
  }
}
