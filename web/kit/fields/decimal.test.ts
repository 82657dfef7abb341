import { describe, expect, it } from 'vitest'
import { decimalText } from '#web/kit/fields/decimal.ts'

describe('a typed number', () => {
  it('becomes decimal text, whatever the habit of the country', () => {
    expect(decimalText('1 234,50')).toBe('1234.50')
    expect(decimalText('1\u00a0234,5')).toBe('1234.5')
    expect(decimalText('1,234.50')).toBe('1234.50')
    expect(decimalText('1.234,50')).toBe('1234.50')
    expect(decimalText('-7')).toBe('-7')
    expect(decimalText('\u22125')).toBe('-5')
  })

  it('leaves what is no number for the schema to refuse', () => {
    expect(decimalText('abc')).toBe('abc')
    expect(decimalText('1,2,3')).toBe('1,2,3')
    expect(decimalText('')).toBe('')
  })
})
