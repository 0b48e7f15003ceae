// What axe calls serious or critical.
async () => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    return violations
        .filter((one) => one.impact === 'serious' || one.impact === 'critical')
        .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) =>
            node.html.slice(0, 160) + ' ' + (node.any[0]?.message ?? '')).join(' | ')}`)
}
