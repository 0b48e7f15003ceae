import { describe, expect, it } from 'vitest'

import { csvName, formatCell, writeCsv } from './chart'

const row = (cells: readonly (string | number | null)[]) => ({
  key: '',
  label: '',
  value: 0,
  number: '',
  more: '',
  isWrong: false,
  cells,
  href: null,
})

describe('cells', () => {
  it('are written as their unit is read', () => {
    expect(formatCell(1.5, 'cost')).toBe('$1.50')
    expect(formatCell(null, 'cost')).toBe('no price')
    expect(formatCell(1_500, 'milliseconds')).toBe('1.5 s')
    expect(formatCell(12_000, 'rate')).toBe('12k/min')
    expect(formatCell(null, 'milliseconds')).toBe('-')
  })
})

describe('CSV', () => {
  it('has a line of names and the numbers as they are', () => {
    const columns = [
      { label: 'Tool', unit: 'text' },
      { label: 'p50, ms', unit: 'milliseconds' },
    ] as const
    const text = writeCsv({ columns, rows: [row(['Bash', 1234.5]), row(['say "hi"', null])] })
    expect(text).toBe('Tool,"p50, ms"\r\nBash,1234.5\r\n"say ""hi""",\r\n')
  })

  it('holds nothing that a spreadsheet would compute', () => {
    const text = writeCsv({ columns: [], rows: [row(['=1+1', '@x', '-x', '-3', '+1'])] })
    expect(text).toBe("\r\n'=1+1,'@x,'-x,-3,'+1\r\n")
  })

  it('is named for its chart', () => {
    expect(csvName('Cost by day, stacked')).toBe('bough-cost-by-day-stacked.csv')
  })
})
