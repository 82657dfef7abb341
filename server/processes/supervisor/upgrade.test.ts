import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isNewer, takeFolder } from './data-folder.ts'

test('a folder keeps the version that wrote it until it has been brought to another, and an older one refuses it in words', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ohma-test-upgrade-'))
  const said = () => (JSON.parse(readFileSync(join(dataDir, 'ohma.json'), 'utf8')) as { version: string }).version // just written
  const take = (version: string) => takeFolder(dataDir, { version, demo: false })
  try {
    take('0.1.0').release()
    const newer = take('0.10.0')
    // killed here, the next start of either version finds it as it was
    expect(said()).toBe('0.1.0')
    newer.settle()
    expect(said()).toBe('0.10.0')
    newer.release()
    const before = readFileSync(join(dataDir, 'ohma.json'), 'utf8')
    expect(() => take('0.9.9')).toThrow(
      /belongs to Ohma 0\.10\.0; this is 0\.9\.9.*\n.*restore the backup that was made then, in .*upgrades, onto an empty folder/,
    )
    expect(readFileSync(join(dataDir, 'ohma.json'), 'utf8')).toBe(before)
    writeFileSync(join(dataDir, 'ohma.json'), JSON.stringify({ format: 99, version: '0.0.1', network: 'main' }))
    expect(() => take('0.9.9')).toThrow('newer version')
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})

test('versions are compared number by number', () => {
  const newer = (one: string, other: string) => isNewer(one, other)
  expect([
    newer('0.10.0', '0.9.0'),
    newer('0.9.0', '0.10.0'),
    newer('1.0.0', '1.0.0'),
    newer('1.0.1', '1.0.0'),
    newer('1.0.0-beta', '1.0.0'),
  ]).toEqual([true, false, false, true, false])
})
