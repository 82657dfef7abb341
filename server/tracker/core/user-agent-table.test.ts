import { describe, expect, it } from 'vitest'
import { sipKey } from '#server/rules/click/siphash.ts'
import { createUserAgentTable } from '#server/tracker/core/user-agent-table.ts'

describe('the table of User-Agents', () => {
  const table = createUserAgentTable(sipKey('07'.repeat(16)))

  it('works each out once, and gives equal texts the same answer', () => {
    const header = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
    const entry = table.find(header)
    expect(entry).toMatchObject({ text: header, bytesField: header, facts: { os: 'Linux', browser: 'Firefox', bot: false } })
    expect(table.find(`${header}`)).toBe(entry)
    expect(Buffer.from(entry.bytesFamilies).toString()).toBe('desktop\tLinux\tFirefox')
  })

  it('reads bytes as UTF-8, drops control characters and escapes what the row needs escaped', () => {
    expect(table.find('caf\u00c3\u00a9 \\ \u0001x')).toMatchObject({ text: 'café \\ x', bytesField: 'caf\u00c3\u00a9 \\\\ x' })
    expect(table.find('\u00ff').text).toBe('\ufffd')
  })

  it('cuts what is too long and does not keep it', () => {
    const long = `Mozilla/5.0 ${'x'.repeat(15_000)}`
    expect(table.find(long).text).toHaveLength(512)
    expect(table.find(long)).not.toBe(table.find(long))
  })
})
