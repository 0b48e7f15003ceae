/** Reads the lines of a stream of server-sent events; pure, so that it can be tested. */
export interface StreamMessage {
  readonly id: string
  readonly kind: string
  readonly data: string
}

/** Take text as it comes, in pieces of any length, and give the messages that are complete. */
export class EventStreamParser {
  private rest = ''
  private kind = ''
  private id = ''
  private data: string[] = []

  read(text: string): StreamMessage[] {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/)
    this.rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.take(line))
  }

  private take(line: string): StreamMessage[] {
    if (line === '') {
      const message = { id: this.id, kind: this.kind || 'message', data: this.data.join('\n') }
      const said = this.data.length > 0
      this.kind = ''
      this.data = []
      return said ? [message] : []
    }
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') {
      this.kind = value
    } else if (name === 'data') {
      this.data.push(value)
    } else if (name === 'id') {
      this.id = value
    }
    return []
  }
}
