import { describe, expect, it } from 'vitest'

import { findFile } from './changed-files'

const files = ['/home/dev/shop/cli/main.py', '/home/dev/main.py', 'src/import/reader.py'].map((path) => ({
  path,
  added: 1,
  removed: 0,
  touches: [],
}))

describe('a file that is mentioned', () => {
  it('is found by its whole path, by its end, and with a line behind it', () => {
    expect(findFile(files, '/home/dev/main.py')?.path).toBe('/home/dev/main.py')
    expect(findFile(files, 'cli/main.py')?.path).toBe('/home/dev/shop/cli/main.py')
    expect(findFile(files, './src/import/reader.py:12-40')?.path).toBe('src/import/reader.py')
    expect(findFile(files, '/home/dev/x/src/import/reader.py')?.path).toBe('src/import/reader.py')
  })

  it('is not one whose name only ends alike', () => {
    expect(findFile(files, 'omain.py')).toBeNull()
  })
})
