// What the benchmark asks the page. Times end with the frame in which the thing was drawn.
window.bench = {
  drawn(isThere, began) {
    return new Promise((done) => {
      const look = () => {
        if (isThere()) requestAnimationFrame(() => done(performance.now() - began))
        else requestAnimationFrame(look)
      }
      look()
    })
  },

  // Filled boxes on the screen, and how much of it they cover.
  seen() {
    const found = []
    for (const slot of document.querySelectorAll('.slot:not(.waiting)')) {
      const box = slot.getBoundingClientRect()
      if (box.bottom > 60 && box.top < innerHeight && box.height > 0) found.push(slot)
    }
    return found
  },

  // From the click on a link until words of the conversation stand on the screen.
  opened(link) {
    return new Promise((done) => {
      link.addEventListener('click', (event) => {
        const isThere = () => this.seen().some((slot) => slot.textContent.trim().length > 20)
        this.drawn(isThere, event.timeStamp).then(done)
      }, { once: true, capture: true })
    })
  },

  // From a click on a link inside the page until that piece is on the screen.
  jumped(address, key) {
    const link = document.createElement('a')
    link.href = address
    document.body.append(link)
    const began = performance.now()
    link.click()
    link.remove()
    return this.drawn(() => this.seen().some((slot) => slot.dataset.piece === key), began)
  },

  // From a key until a piece is on the screen.
  pressed(key) {
    return new Promise((done) => {
      addEventListener('keydown', (event) => {
        const isThere = () => this.seen().some((slot) => slot.dataset.piece === key)
        this.drawn(isThere, event.timeStamp).then(done)
      }, { once: true, capture: true })
    })
  },

  // Go to an address inside the page.
  go(address) {
    const link = document.createElement('a')
    link.href = address
    document.body.append(link)
    link.click()
    link.remove()
  },

  // From a key until another slide is drawn.
  revealed() {
    const now = () => document.querySelector('.present-count').textContent
    const before = now()
    return new Promise((done) => {
      addEventListener('keydown', (event) => {
        const isThere = () =>
          now() !== before && document.querySelector('.present-slide[data-current]:not(.waiting)') !== null
        this.drawn(isThere, event.timeStamp).then(done)
      }, { once: true, capture: true })
    })
  },

  // From a key until something is on the screen.
  shown(key, selector) {
    return new Promise((done) => {
      addEventListener('keydown', (event) => {
        if (event.key !== key) return
        this.drawn(() => document.querySelector(selector) !== null, event.timeStamp).then(done)
      }, { once: true, capture: true })
    })
  },

  // Watch every frame: how many in a row showed nothing, and how many showed a part not yet.
  watch() {
    const told = { frames: 0, blank: 0, longest: 0, partly: 0, longestGap: 0 }
    let run = 0
    let last = performance.now()
    let goes = true
    const look = (now) => {
      if (!goes) return
      told.frames++
      told.longestGap = Math.max(told.longestGap, now - last)
      last = now
      if (this.seen().length === 0) {
        told.blank++
        told.longest = Math.max(told.longest, ++run)
      } else {
        run = 0
        const waits = [...document.querySelectorAll('.slot.waiting')].some((slot) => {
          const box = slot.getBoundingClientRect()
          return box.bottom > 60 && box.top < innerHeight
        })
        if (waits) told.partly++
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    this.stop = () => { goes = false; return told }
  },

  // Note when marked words appear, by the clock of the machine.
  listen() {
    const marks = /mark-([0-9a-f-]{36})/g
    this.arrived = {}
    const note = () => {
      const fresh = []
      for (const [, id] of document.body.textContent.matchAll(marks)) {
        if (!(id in this.arrived)) { this.arrived[id] = null; fresh.push(id) }
      }
      if (fresh.length) {
        requestAnimationFrame(() => {
          const now = performance.timeOrigin + performance.now()
          for (const id of fresh) this.arrived[id] = now
        })
      }
    }
    note()
    this.arrived = Object.fromEntries(Object.keys(this.arrived).map((id) => [id, 0]))
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true })
  },
}
