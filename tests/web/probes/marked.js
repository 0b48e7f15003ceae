// The words that are marked and can be seen.
() => {
    const seen = []
    for (const name of ['hit-now', 'hit']) {
        for (const range of CSS.highlights.get(name) ?? []) {
            const box = range.getBoundingClientRect()
            if (box.width > 0 && box.top > 60 && box.bottom < innerHeight) seen.push(range.toString())
        }
    }
    return seen
}
