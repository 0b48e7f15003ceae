// What has the focus without showing it; null where it can be seen, or nothing has it.
() => {
    const element = document.activeElement
    if (element === document.body) return null
    const ring = (e) => {
        const style = getComputedStyle(e)
        const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
        return outlined || style.boxShadow !== 'none'
    }
    const up = element.parentElement
    const near = [element, up, up?.parentElement, element.closest('label, form, tr, li')]
    return near.some((e) => e && ring(e)) ? null : element.outerHTML.slice(0, 120)
}
