/**
 * Shows a conversation slide by slide: on the page, and in a file that needs no server.
 *
 * Which slides there are is decided in Python (`bough.model.outline.slides`). Here is what both
 * places share: the frame, the keys, touch, size and theme, progress, and what is announced. A host
 * says where the slides come from and what leaving means. It runs without any other script, and
 * nothing moves on by itself.
 */

/**
 * @typedef {object} SlideTable
 * @property {readonly string[]} kinds What each slide shows.
 * @property {readonly number[]} turns The turn each slide is of.
 * @property {readonly string[]} messages The message each slide is of.
 * @property {readonly string[]} names What each turn is called.
 */

/**
 * @typedef {object} PresentationHost
 * @property {SlideTable} table
 * @property {(number: number) => HTMLElement | null} draw Gives a slide; null while it is not here.
 * @property {(number: number) => void} [need] Told which slide is looked at.
 * @property {((message: string) => void) | null} [leave] Ends it; without it there is nothing to leave.
 * @property {() => boolean} [hasLetters] Whether keys made of one character do anything.
 * @property {Mark} mark
 * @property {(name: string) => string | null} read Gives what was chosen before.
 * @property {(name: string, value: string) => void} write
 */

/**
 * @typedef {object} Mark
 * @property {string} words What the corner says.
 * @property {boolean} isHidden Whether secrets are hidden.
 * @property {string} about What a press does, said in a sentence.
 * @property {() => void} press
 */

const SMALLEST = 16
const LARGEST = 40
const STEP = 2
const USUAL = 24
const USUAL_ON_PHONES = 18
const READING = 15
const ANNOUNCED = 300
const SWIPE = 48
const TAP = 10
const TAP_LASTS = 500

const TOOL_KINDS = new Set(['steps', 'agent'])
const TALK_KINDS = new Set(['cover', 'prompt', 'answer'])

const KEYS = [
  ['→ Space', 'Next'],
  ['←', 'Back'],
  ['↓', 'End of the turn, then of the next one'],
  ['↑', 'End of the turn before'],
  ['Home End', 'First, last'],
  ['Page ↓ ↑', 'Scroll, then next or back'],
  ['f', 'Full screen'],
  ['+ −', 'Larger, smaller'],
  ['t', 'Light or dark'],
  ['h', 'Hide or show tools'],
  ['1', 'Only prompts and answers, or everything'],
  ['?', 'These keys'],
]

/**
 * @param {string} tag
 * @param {string} look
 * @param {Record<string, string>} [attributes]
 * @param {string} [words]
 */
function make(tag, look, attributes = {}, words = '') {
  const element = document.createElement(tag)
  element.className = look
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value)
  }
  element.textContent = words
  return element
}

export class Presentation {
  /** The slide that was revealed last. */
  current = 0
  mark = make('button', 'present-mark', { type: 'button' })
  count = make('span', 'present-count', { 'aria-hidden': 'true' })
  stage = make('div', 'present-stage', { role: 'region', 'aria-label': 'Slides', tabindex: '0' })
  flow = make('div', 'present-flow flow')
  bar = make('div', 'present-bar', {
    role: 'slider',
    tabindex: '0',
    'aria-label': 'Progress',
    'aria-valuemin': '1',
  })
  done = make('div', 'present-done')
  ticks = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  name = make('div', 'present-name', { 'aria-hidden': 'true' })
  live = make('p', 'present-live', { 'aria-live': 'polite' })
  keys = make('div', 'present-keys', { role: 'note', 'aria-label': 'Keys', hidden: '' })
  /** @type {PresentationHost} */
  #host
  /** @type {number[]} The slides that are not hidden, in order. */
  #shown = []
  #hasTools = true
  #isTalk = false
  #size
  /** @type {Map<number, HTMLElement>} */
  #drawn = new Map()
  /** @type {{ x: number, y: number, at: number, target: EventTarget | null } | null} */
  #touch = null
  #abort = new AbortController()
  tools = this.#makeButton('h', 'Tools', '', () => this.toggleTools())
  talk = this.#makeButton('1', 'Only talk', '', () => this.toggleTalk())

  /**
   * @param {HTMLElement} root
   * @param {PresentationHost} host
   * @param {number} start
   */
  constructor(root, host, start) {
    this.#host = host
    this.root = root
    root.classList.add('present')
    this.#build()
    const usual = matchMedia('(max-width: 760px)').matches ? USUAL_ON_PHONES : USUAL
    this.#size = Number(host.read('present-size')) || usual
    this.#applySize()
    const theme = host.read('present-theme')
    if (theme === 'light' || theme === 'dark') {
      root.dataset['theme'] = theme
    }
    this.#filter()
    this.go(start)
    this.stage.focus({ preventScroll: true })
  }

  /** Take it off the page. */
  destroy() {
    this.#abort.abort()
    if (document.fullscreenElement === this.root) {
      void document.exitFullscreen()
    }
    this.root.replaceChildren()
  }

  #build() {
    const { signal } = this.#abort
    const { mark, leave } = this.#host
    this.mark.textContent = mark.words
    this.mark.title = mark.about
    this.mark.dataset['hidden'] = String(mark.isHidden)
    this.mark.addEventListener('click', () => mark.press(), { signal })
    const acts = make('div', 'present-acts', { role: 'group', 'aria-label': 'How it is shown' })
    acts.append(
      this.tools,
      this.talk,
      this.#makeButton('−', 'A−', 'A− smaller', () => this.#setSize(this.#size - STEP)),
      this.#makeButton('+', 'A+', 'A+ larger', () => this.#setSize(this.#size + STEP)),
      this.#makeButton('t', '◐', 'Light or dark', () => this.toggleTheme()),
      this.#makeButton('f', 'Full screen', '', () => this.toggleFullScreen()),
      this.#makeButton('?', '?', 'Keys', () => this.toggleKeys()),
    )
    if (leave) {
      acts.append(this.#makeButton('Esc', '✕', 'Leave', () => this.leave()))
    }
    const head = make('header', 'present-head')
    head.append(this.mark, this.count, acts)
    this.stage.append(this.flow)
    this.ticks.setAttribute('class', 'present-ticks')
    this.ticks.setAttribute('preserveAspectRatio', 'none')
    this.ticks.setAttribute('aria-hidden', 'true')
    this.bar.append(this.done, this.ticks, this.name)
    const list = make('dl', '')
    for (const [key = '', words = ''] of [...KEYS, ...(leave ? [['Esc', 'Back to the conversation']] : [])]) {
      list.append(make('dt', '', {}, key), make('dd', '', {}, words))
    }
    this.keys.append(list)
    this.root.replaceChildren(head, this.stage, this.bar, this.live, this.keys)
    this.#listen(signal)
  }

  /**
   * Make a button; `label` says in words what a sign means.
   * @param {string} key
   * @param {string} sign
   * @param {string} label
   * @param {() => void} run
   */
  #makeButton(key, sign, label, run) {
    const spoken = label ? { 'aria-label': label } : {}
    const button = make('button', '', { type: 'button', title: `${label || sign} (${key})`, ...spoken }, sign)
    button.dataset['key'] = key
    button.addEventListener('click', run, { signal: this.#abort.signal })
    return button
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    this.stage.addEventListener('pointerdown', (event) => this.#beginTouch(event), { signal })
    this.stage.addEventListener('pointerup', (event) => this.#endTouch(event), { signal })
    this.stage.addEventListener('pointercancel', () => (this.#touch = null), { signal })
    this.stage.addEventListener('click', (event) => this.#followLink(event), { signal })
    this.bar.addEventListener('click', (event) => this.goToTurn(this.#turnAt(event)), { signal })
    this.bar.addEventListener(
      'pointermove',
      (event) => {
        this.name.textContent = this.#nameTurn(this.#turnAt(event))
        const part = this.#partOf(event)
        this.name.style.setProperty('--at', `${Math.min(0.85, Math.max(0.15, part)) * 100}%`)
      },
      { signal },
    )
  }

  // -- where one is ---------------------------------------------------------------------------

  /** Reveal everything of a turn up to a slide. @param {number} number */
  go(number) {
    const near = this.#shown.findLast((one) => one <= number) ?? this.#shown[0]
    if (near === undefined) {
      return
    }
    this.current = near
    this.#host.need?.(near)
    this.redraw()
    this.#tell()
  }

  /** Show what came in meanwhile; where everything is here already, nothing moves. */
  refresh() {
    if ([...this.#drawn.values()].some((element) => element.classList.contains('waiting'))) {
      this.redraw()
      this.#tell()
    }
  }

  redraw() {
    const { turns } = this.#host.table
    const turn = turns[this.current]
    const place = this.#place()
    let first = place
    while (first > 0 && turns[this.#shown[first - 1] ?? -1] === turn) {
      first -= 1
    }
    const wanted = this.#shown.slice(first, place + 1)
    const kept = new Set(wanted)
    for (const [number, element] of this.#drawn) {
      if (!kept.has(number)) {
        element.remove()
        this.#drawn.delete(number)
      }
    }
    for (const [at, number] of wanted.entries()) {
      const known = this.#drawn.get(number)
      const element = known && !known.classList.contains('waiting') ? known : this.#drawSlide(number)
      const there = this.flow.children[at]
      if (there !== element) {
        if (known && known !== element) {
          known.replaceWith(element)
        } else {
          this.flow.insertBefore(element, there ?? null)
        }
      }
      element.toggleAttribute('data-current', number === this.current)
      this.#drawn.set(number, element)
    }
    this.#scrollToCurrent()
  }

  /** @param {number} number */
  #drawSlide(number) {
    const element = this.#host.draw(number) ?? make('div', 'present-slide waiting', {}, 'Reading…')
    if (this.#host.table.kinds[number] === 'thought') {
      for (const fold of element.querySelectorAll('details')) {
        fold.open = true
      }
    }
    return element
  }

  #scrollToCurrent() {
    const element = this.#drawn.get(this.current)
    if (element) {
      const isTall = element.offsetHeight > this.stage.clientHeight
      element.scrollIntoView({ block: isTall ? 'start' : 'nearest' })
    }
  }

  /** How many slides are shown before the current one. */
  #place() {
    let low = 0
    let high = this.#shown.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#shown[middle] ?? 0) <= this.current) {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return low
  }

  /** @param {1 | -1} by */
  step(by) {
    const next = this.#shown[this.#place() + by]
    if (next !== undefined) {
      this.go(next)
    }
  }

  /** Go to the end of the turn, or of the one after or before. @param {1 | -1} by */
  stepTurn(by) {
    const { turns } = this.#host.table
    const turn = turns[this.current] ?? 0
    const isEnd = turns[this.#shown[this.#place() + 1] ?? -1] !== turn
    const wanted = by < 0 ? turn - 1 : isEnd ? turn + 1 : turn
    const found = this.#shown.findLast((number) => (turns[number] ?? 0) <= wanted)
    this.go(found ?? this.#shown[0] ?? 0)
  }

  /** Go to the beginning of a turn. @param {number} turn */
  goToTurn(turn) {
    const found = this.#shown.find((number) => this.#host.table.turns[number] === turn)
    if (found !== undefined) {
      this.go(found)
    }
  }

  leave() {
    this.#host.leave?.(this.#host.table.messages[this.current] ?? '')
  }

  // -- what is said of it ---------------------------------------------------------------------

  #tell() {
    const place = this.#place() + 1
    const total = this.#shown.length
    const turn = this.#host.table.turns[this.current] ?? 0
    this.count.textContent = `${place} / ${total}`
    this.bar.setAttribute('aria-valuemax', String(total))
    this.bar.setAttribute('aria-valuenow', String(place))
    this.bar.setAttribute('aria-valuetext', `${place} of ${total}. ${this.#nameTurn(turn)}`)
    this.done.style.width = `${(place / total) * 100}%`
    const element = this.#drawn.get(this.current)
    const label = element?.querySelector('[aria-label]')?.getAttribute('aria-label') ?? ''
    const words = (element?.innerText ?? '').replace(/\s+/g, ' ').trim().slice(0, ANNOUNCED)
    this.live.textContent = [`${place} of ${total}`, label, words].filter(Boolean).join('. ')
  }

  /** @param {number} turn */
  #nameTurn(turn) {
    return this.#host.table.names[turn] || 'Without words'
  }

  /** @param {MouseEvent} event */
  #partOf(event) {
    const box = this.bar.getBoundingClientRect()
    return (event.clientX - box.left) / Math.max(1, box.width)
  }

  /** @param {MouseEvent} event */
  #turnAt(event) {
    const at = Math.floor(this.#partOf(event) * this.#shown.length)
    const number = this.#shown[Math.min(this.#shown.length - 1, Math.max(0, at))] ?? 0
    return this.#host.table.turns[number] ?? 0
  }

  // -- how it is shown ------------------------------------------------------------------------

  /** Leave out what is not wanted; one stays where one is, or at the slide before that. */
  #filter() {
    const { kinds, turns } = this.#host.table
    this.#shown = [...kinds.keys()].filter((number) => {
      const kind = kinds[number] ?? ''
      return this.#isTalk ? TALK_KINDS.has(kind) : this.#hasTools || !TOOL_KINDS.has(kind)
    })
    if (!this.#shown.length) {
      this.#shown = [...kinds.keys()]
    }
    const starts = this.#shown.flatMap((number, at) =>
      at > 0 && turns[number] !== turns[this.#shown[at - 1] ?? -1] ? [`M${at} 0V1`] : [],
    )
    this.ticks.setAttribute('viewBox', `0 0 ${Math.max(1, this.#shown.length)} 1`)
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    path.setAttribute('d', starts.join(''))
    this.ticks.replaceChildren(path)
    this.root.classList.toggle('only-talk', this.#isTalk)
    this.tools.setAttribute('aria-pressed', String(this.#hasTools && !this.#isTalk))
    this.talk.setAttribute('aria-pressed', String(this.#isTalk))
  }

  toggleTools() {
    this.#hasTools = this.#isTalk ? true : !this.#hasTools
    this.#isTalk = false
    this.#filter()
    this.go(this.current)
  }

  toggleTalk() {
    this.#isTalk = !this.#isTalk
    this.#filter()
    this.go(this.current)
  }

  /** @param {number} size */
  #setSize(size) {
    this.#size = size
    this.#applySize()
    this.#host.write('present-size', String(this.#size))
    this.#scrollToCurrent()
  }

  #applySize() {
    this.#size = Math.min(LARGEST, Math.max(SMALLEST, this.#size))
    this.flow.style.setProperty('zoom', String(this.#size / READING))
    this.root.dataset['size'] = String(this.#size)
  }

  toggleTheme() {
    const isDark =
      (this.root.dataset['theme'] ?? getComputedStyle(this.root).getPropertyValue('--theme').trim()) === 'dark'
    const next = isDark ? 'light' : 'dark'
    this.root.dataset['theme'] = next
    this.#host.write('present-theme', next)
  }

  toggleFullScreen() {
    if (document.fullscreenElement) {
      void document.exitFullscreen()
    } else {
      this.root.requestFullscreen().catch(() => undefined)
    }
  }

  toggleKeys() {
    this.keys.hidden = !this.keys.hidden
  }

  // -- keys and touch -------------------------------------------------------------------------

  /** Do what a key is for; tells whether it was for anything. @param {KeyboardEvent} event */
  handleKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
      return false
    }
    const { key, target } = event
    if (key.length === 1 && key !== ' ' && this.#host.hasLetters?.() === false) {
      return false
    }
    const isPress = key === ' ' || key === 'Enter'
    if (isPress && target instanceof Element && target.closest('a[href], button, summary')) {
      return false
    }
    const isDone = this.#runKey(key, event.shiftKey)
    if (isDone) {
      event.preventDefault()
      event.stopPropagation()
    }
    return isDone
  }

  /** @param {string} key @param {boolean} isShift */
  #runKey(key, isShift) {
    switch (key) {
      case 'ArrowRight':
        this.step(1)
        return true
      case ' ':
        this.step(isShift ? -1 : 1)
        return true
      case 'ArrowLeft':
        this.step(-1)
        return true
      case 'ArrowDown':
        this.stepTurn(1)
        return true
      case 'ArrowUp':
        this.stepTurn(-1)
        return true
      case 'PageDown':
        this.#page(1)
        return true
      case 'PageUp':
        this.#page(-1)
        return true
      case 'Home':
        this.go(0)
        return true
      case 'End':
        this.go(this.#host.table.kinds.length - 1)
        return true
      case 'f':
        this.toggleFullScreen()
        return true
      case '+':
      case '=':
        this.#setSize(this.#size + STEP)
        return true
      case '-':
      case '−':
        this.#setSize(this.#size - STEP)
        return true
      case 't':
        this.toggleTheme()
        return true
      case 'h':
        this.toggleTools()
        return true
      case '1':
        this.toggleTalk()
        return true
      case '?':
        this.toggleKeys()
        return true
      case 'Escape':
      case 'p':
        return this.#close(key)
      default:
        return false
    }
  }

  /** Close the list of keys, else leave. @param {string} key */
  #close(key) {
    if (key === 'Escape' && !this.keys.hidden) {
      this.keys.hidden = true
      return true
    }
    if (!this.#host.leave) {
      return false
    }
    this.leave()
    return true
  }

  /** Scroll by a screen while there is more to see, then go on. @param {1 | -1} by */
  #page(by) {
    const { scrollTop, scrollHeight, clientHeight } = this.stage
    const rest = by > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop
    if (rest > 1) {
      this.stage.scrollBy({ top: by * clientHeight * 0.9 })
    } else {
      this.step(by)
    }
  }

  /** @param {PointerEvent} event */
  #beginTouch(event) {
    const isTouch = event.pointerType === 'touch' && event.isPrimary
    this.#touch = isTouch
      ? { x: event.clientX, y: event.clientY, at: event.timeStamp, target: event.target }
      : null
  }

  /** A swipe goes on or back; so does a tap in the right or the left third. @param {PointerEvent} event */
  #endTouch(event) {
    const begun = this.#touch
    this.#touch = null
    if (!begun) {
      return
    }
    const across = event.clientX - begun.x
    const down = event.clientY - begun.y
    if (Math.abs(across) > SWIPE && Math.abs(across) > 1.5 * Math.abs(down)) {
      this.step(across < 0 ? 1 : -1)
      return
    }
    const isTap =
      Math.hypot(across, down) < TAP && event.timeStamp - begun.at < TAP_LASTS && !this.#isControl(begun.target)
    const part = event.clientX / Math.max(1, this.stage.clientWidth)
    if (isTap && part > 2 / 3) {
      this.step(1)
    } else if (isTap && part < 1 / 3) {
      this.step(-1)
    }
  }

  /** @param {EventTarget | null} target */
  #isControl(target) {
    return target instanceof Element && target.closest('a, button, summary') !== null
  }

  /** Links to other messages of the conversation lead to their slides. @param {MouseEvent} event */
  #followLink(event) {
    const link = event.target instanceof Element ? event.target.closest('[data-go]') : null
    if (link) {
      event.preventDefault()
      const found = this.#host.table.messages.indexOf(link.getAttribute('data-go') ?? '')
      if (found >= 0) {
        this.go(found)
      }
    }
  }
}
