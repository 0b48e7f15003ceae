// Text below 12 px.
() => {
    const found = new Set()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement
        if (!node.data.trim() || !element.checkVisibility()) continue
        const size = parseFloat(getComputedStyle(element).fontSize)
        if (size < 11.99) found.add(`${size}px "${node.data.trim().slice(0, 30)}"`)
    }
    return [...found].slice(0, 10)
}
