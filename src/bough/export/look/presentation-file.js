/** Starts the presentation of a file: its slides lie in the document, one after the other. */
const source = document.querySelector('.present-source')
const slides = [...document.querySelectorAll('.present-source > .present-slide')]
const values = (name) => slides.map((slide) => slide.dataset[name] ?? '')
const turns = values('turn').map(Number)
const names = []
slides.forEach((slide, number) => (names[turns[number]] ??= slide.dataset.name ?? ''))
slides.forEach((slide) => slide.remove())
source.remove()

const root = document.createElement('main')
document.body.append(root)
const isHidden = document.body.dataset.redacted === 'yes'
const player = new Presentation(
  root,
  {
    table: { kinds: values('kind'), turns, messages: values('message'), names },
    draw: (number) => slides[number],
    mark: {
      words: isHidden ? 'Secrets hidden' : 'Secrets not hidden',
      isHidden,
      about: 'What was hidden is listed on the first page',
      press: () => player.go(0),
    },
    // A file may not be allowed to keep anything.
    read: (name) => {
      try {
        return localStorage.getItem(`bough.${name}`)
      } catch {
        return null
      }
    },
    write: (name, value) => {
      try {
        localStorage.setItem(`bough.${name}`, value)
      } catch {
        return
      }
    },
  },
  0,
)
document.addEventListener('keydown', (event) => player.handleKey(event))
