import { describe, expect, test } from 'vitest'

import { EventStreamParser } from './event-stream'

const STREAM =
  ': hello\n\nid: 7\nevent: live\ndata: {"a":\ndata: 1}\n\nid: 8\r\nevent: gone\r\ndata: {}\r\n\r\n'

describe('a stream of events', () => {
  test('gives every message once', () => {
    expect(new EventStreamParser().read(STREAM)).toEqual([
      { id: '7', kind: 'live', data: '{"a":\n1}' },
      { id: '8', kind: 'gone', data: '{}' },
    ])
  })

  test('may be cut anywhere', () => {
    for (let cut = 0; cut <= STREAM.length; cut += 1) {
      const reader = new EventStreamParser()
      const found = [...reader.read(STREAM.slice(0, cut)), ...reader.read(STREAM.slice(cut))]
      expect(found.map((message) => message.id)).toEqual(['7', '8'])
    }
  })

  test('says nothing for a heartbeat', () => {
    expect(new EventStreamParser().read(': still here\n\n')).toEqual([])
  })
})
