// The most characters that stand on one line of prose, typed or written.
() => {
    let most = [0, '']
    for (const prose of document.querySelectorAll('.prose p, .prose li, .typed')) {
        const lines = new Map()
        const walker = document.createTreeWalker(prose, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            for (const word of node.data.matchAll(/\S+\s*/g)) {
                const range = document.createRange()
                range.setStart(node, word.index)
                range.setEnd(node, word.index + word[0].length)
                const top = Math.round(range.getBoundingClientRect().bottom / 8)
                lines.set(top, (lines.get(top) ?? '') + word[0])
            }
        }
        for (const line of lines.values()) if (line.length > most[0]) most = [line.length, line]
    }
    return most
}
