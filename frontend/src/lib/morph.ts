/**
 * Makes an element's content like another's, and leaves alone what is the same already.
 *
 * A live turn grows by a block at a time. Replacing it whole would lose the selection, the focus
 * and every fold in it; so equal children stay, and only what differs is taken from the new one.
 */

/** Attributes that belong to the reader and not to the server. */
const OURS = new Set(['open', 'data-loaded', 'tabindex'])

export function morph(old: Element, wanted: ParentNode): void {
  let at = old.firstChild
  for (const next of [...wanted.childNodes]) {
    const same = findSame(at, next)
    if (!same) {
      old.insertBefore(next, at)
      continue
    }
    while (at && at !== same) {
      at = removeNode(at)
    }
    at = same.nextSibling
    copyDifferences(same, next)
  }
  while (at) {
    at = removeNode(at)
  }
}

function removeNode(node: ChildNode): ChildNode | null {
  const next = node.nextSibling
  node.remove()
  return next
}

/** The first child from a place on that is the same thing as the wanted one. */
function findSame(from: ChildNode | null, wanted: Node): ChildNode | null {
  if (wanted instanceof Element) {
    const name = blockName(wanted)
    for (let at = from; at; at = at.nextSibling) {
      if (at instanceof Element && at.tagName === wanted.tagName && blockName(at) === name) {
        return at
      }
      if (!name && at instanceof Element) {
        return null
      }
    }
    return null
  }
  return from && from.nodeType === wanted.nodeType ? from : null
}

function blockName(element: Element): string {
  return element.getAttribute('data-key') ?? ''
}

function copyDifferences(old: ChildNode, wanted: ChildNode): void {
  if (!(old instanceof Element) || !(wanted instanceof Element)) {
    if (old.nodeValue !== wanted.nodeValue) {
      old.nodeValue = wanted.nodeValue
    }
    return
  }
  if (old.isEqualNode(wanted)) {
    return
  }
  for (const { name } of [...old.attributes]) {
    if (!OURS.has(name) && !wanted.hasAttribute(name)) {
      old.removeAttribute(name)
    }
  }
  for (const { name, value } of [...wanted.attributes]) {
    if (!OURS.has(name) && old.getAttribute(name) !== value) {
      old.setAttribute(name, value)
    }
  }
  // The body of a fold that was loaded on opening is not in what the server sends again.
  if (old.hasAttribute('data-loaded') && !wanted.hasChildNodes()) {
    return
  }
  morph(old, wanted)
}
