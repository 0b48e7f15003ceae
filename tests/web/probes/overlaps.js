// Text that is drawn over other text. What floats or sticks lies above the rest by design.
() => {
    const floats = (element) => {
        for (let e = element; e && e !== document.body; e = e.parentElement) {
            const position = getComputedStyle(e).position
            if (position === 'fixed' || position === 'sticky') return e
        }
        return null
    }
    const clipped = (rect, element) => {
        let { left, top, right, bottom } = rect
        for (let e = element; e && e !== document.documentElement; e = e.parentElement) {
            const style = getComputedStyle(e)
            if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
                const box = e.getBoundingClientRect()
                left = Math.max(left, box.left); right = Math.min(right, box.right)
                top = Math.max(top, box.top); bottom = Math.min(bottom, box.bottom)
            }
            if (style.clip === 'rect(0px, 0px, 0px, 0px)') return null
            if (style.clipPath === 'inset(50%)') return null
        }
        left = Math.max(left, 0); top = Math.max(top, 0)
        right = Math.min(right, innerWidth); bottom = Math.min(bottom, innerHeight)
        return right - left > 2 && bottom - top > 2 ? { left, top, right, bottom } : null
    }
    // What floats over it with a ground of its own hides it: that is no overlap.
    const isCovered = (box, element) => {
        const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        for (let e = hit; e && !e.contains(element) && !element.contains(e); e = e.parentElement) {
            const ground = getComputedStyle(e).backgroundColor
            if (!ground.startsWith('rgba') && ground !== 'transparent') return true
        }
        return false
    }
    const seen = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.data.trim()) continue
        const element = node.parentElement
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
        if (element.closest('svg, script, style, noscript')) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        for (const rect of range.getClientRects()) {
            const box = clipped(rect, element)
            if (!box || isCovered(box, element)) continue
            seen.push({ box, element, floats: floats(element), text: node.data.trim().slice(0, 40) })
        }
    }
    const found = []
    for (let i = 0; i < seen.length; i++) {
        for (let j = i + 1; j < seen.length; j++) {
            const a = seen[i], b = seen[j]
            if (a.floats !== b.floats || a.element === b.element) continue
            const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left)
            const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top)
            const least = Math.min(a.box.bottom - a.box.top, b.box.bottom - b.box.top)
            if (wide > 3 && high > least * 0.4) found.push(`"${a.text}" over "${b.text}"`)
        }
    }
    return found.slice(0, 10)
}
