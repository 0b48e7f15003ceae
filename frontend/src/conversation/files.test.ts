import { describe, expect, it } from 'vitest'
import { fileNamed } from './files'

const files = ['/home/dev/shop/cli/main.py', '/home/dev/main.py', 'src/import/reader.py'].map((path) => ({
  path,
  added: 1,
  removed: 0,
  touches: [],
}))

describe('a file that is mentioned', () => {
  it('is found by its whole path, by its end, and with a line behind it', () => {
    expect(fileNamed(files, '/home/dev/main.py')?.path).toBe('/home/dev/main.py')
    expect(fileNamed(files, 'cli/main.py')?.path).toBe('/home/dev/shop/cli/main.py')
    expect(fileNamed(files, './src/import/reader.py:12-40')?.path).toBe('src/import/reader.py')
    expect(fileNamed(files, '/home/dev/x/src/import/reader.py')?.path).toBe('src/import/reader.py')
  })

  it('is not one whose name only ends alike', () => {
    expect(fileNamed(files, 'omain.py')).toBeNull()
  })
})
