// Elements and attributes that could run, fetch or send something.
() => {
    const forbidden = ['IFRAME', 'OBJECT', 'EMBED', 'FORM', 'BASE', 'STYLE', 'LINK', 'META', 'SCRIPT']
    const scheme = /^[\s\u0000-\u0020]*(javascript|data|vbscript|file):/i
    const found = []
    for (const element of document.querySelectorAll('main *')) {
        if (forbidden.includes(element.tagName)) found.push(element.outerHTML.slice(0, 100))
        for (const { name, value } of element.attributes) {
            if (name.startsWith('on')) found.push(`${name} on ${element.tagName}`)
            const leads = ['href', 'src', 'action', 'xlink:href'].includes(name)
            if (leads && scheme.test(value)) found.push(`${name}=${value.slice(0, 60)}`)
        }
    }
    return found
}
