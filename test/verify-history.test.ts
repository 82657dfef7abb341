import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'
import { makeProof, readEarlier, type Entry, type Head, type Proof } from '#web/features/traffic/history/proof.ts'

const VERIFIER = join(import.meta.dirname, '../web/public/verify-history.mjs')
const folder = mkdtempSync(join(tmpdir(), 'ohma-proof-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const START = '0'.repeat(64)
const sha = (before: string, body: string) => createHash('sha256').update(Buffer.from(before, 'hex')).update(body).digest('hex')

/** Entries made here, not by the code they check: two of each conversion, in an affiliate's own words. */
function chain(length: number, bodyOf: (seq: number) => object = usual): Entry[] {
  const list: Entry[] = []
  let hash = START
  for (let seq = 1; seq <= length; seq++) {
    const body = JSON.stringify(bodyOf(seq))
    hash = sha(hash, body)
    list.push({ seq, body, hash })
  }
  return list
}
const usual = (seq: number) => ({
  affiliate: 7,
  conversion: `c${Math.ceil(seq / 2)}`,
  currency: seq % 4 < 2 ? 'EUR' : 'USD',
  payout: '0.1000',
  seq,
  to: seq % 2 ? 'pending' : 'approved',
  // what some programs take for the end of a line is written as it is in JSON
  note: 'Їжак € \u2028\u2029\u0085',
})
const headOf = (list: Entry[]): Head => ({ seq: list.at(-1)?.seq ?? 0, hash: list.at(-1)?.hash ?? START })
/** A server that answers pages of three. */
const served =
  (list: Entry[], head = headOf(list)) =>
  async (after: number) => ({ head, list: list.slice(after, after + 3) })
const made = (load: Parameters<typeof makeProof>[0], earlier?: Head) =>
  makeProof(load, { origin: 'https://net.example', at: '2026-11-23T10:00:00Z', earlier, onProgress: () => {} })
async function proofOf(list: Entry[]): Promise<Proof> {
  const told = await made(served(list))
  if (!('proof' in told)) throw new Error(JSON.stringify(told))
  return told.proof
}
let files = 0
function written(lines: string[]): string {
  const file = join(folder, `${++files}.jsonl`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}
function verify(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [VERIFIER, ...args], { encoding: 'utf8' })
  return { status, told: stdout + stderr }
}

describe('in the browser', () => {
  test('a sound history becomes a file of its head and its entries, and an earlier head is found in it', async () => {
    const list = chain(10)
    const proof = await proofOf(list)
    expect(proof).toMatchObject({ entries: 10, conversions: 5, head: headOf(list) })
    expect(proof.lines).toHaveLength(11)
    expect(await made(served(list), headOf(list.slice(0, 4)))).toHaveProperty('proof')
    expect(await proofOf([])).toMatchObject({ entries: 0 })
  })

  test('what comes while it loads is left for the next time', async () => {
    const list = chain(8)
    let calls = 0
    const growing = async (after: number) => served(calls++ === 0 ? list.slice(0, 5) : list)(after)
    expect(await made(growing)).toMatchObject({ proof: { entries: 5, head: headOf(list.slice(0, 5)) } })
  })

  test('a changed, missing, exchanged or cut off entry is named', async () => {
    const list = chain(10)
    const changed = list.with(4, { ...list[4]!, body: list[4]!.body.replace('0.1000', '0.2000') })
    expect(await made(served(changed))).toEqual({ brokenAt: 5 })
    expect(await made(served(list.toSpliced(6, 1), headOf(list)))).toEqual({ brokenAt: 7 })
    expect(await made(served(list.slice(0, 8), headOf(list)))).toEqual({ brokenAt: 9 })
    // all hashes anew: only the earlier head tells
    const rewritten = chain(10, (seq) => ({ ...usual(seq), ...(seq === 3 && { payout: '9.0000' }) }))
    expect(await made(served(rewritten))).toHaveProperty('proof')
    expect(await made(served(rewritten), headOf(list.slice(0, 4)))).toEqual({ brokenAt: 4 })
    expect(await made(served(list), headOf(chain(12)))).toEqual({ shorterThan: 12 })
  })

  test('the head of an earlier file is in its first line; another file has none', async () => {
    const { lines, head } = await proofOf(chain(4))
    expect(await readEarlier(new Blob([lines.join('\n')]))).toEqual(head)
    for (const other of ['', 'a,b\n1,2', '{"format":"else"}', '{"format":"ohma-history","version":1,"head":{"seq":1,"hash":"x"}}'])
      expect(await readEarlier(new Blob([other])), other).toBeUndefined()
  })
})

describe('the published verifier', () => {
  test('agrees with an exported proof, adds up what is approved now, and finds an earlier file and head in it', async () => {
    const list = chain(10)
    const [today, before] = [written((await proofOf(list)).lines), written((await proofOf(list.slice(0, 4))).lines)]
    const { hash } = headOf(list)
    expect(verify(today)).toEqual({
      status: 0,
      told: [
        'Affiliate 7: 10 entries of 5 conversions. None is missing and none was changed.',
        'Approved now: 2 conversions, 0.20 EUR',
        'Approved now: 3 conversions, 0.30 USD',
        `Head: 10:${hash}`,
        'It cannot show that a result nobody reported ever happened.',
        '',
      ].join('\n'),
    })
    expect(verify(today, before)).toMatchObject({ status: 0, told: expect.stringContaining('the 4 entries that were there before') })
    expect(verify(today, '--head', `4:${list[3]!.hash}`).status).toBe(0)
  })

  test('needs nothing but Node.js', () => {
    const imported = [...readFileSync(VERIFIER, 'utf8').matchAll(/^import .* from '([^']+)'$|import\(/gm)].map(([, name]) => name)
    expect(imported).toEqual(['node:crypto', 'node:fs'])
  })

  test('says what was tampered with', async () => {
    const list = chain(10)
    const { lines } = await proofOf(list)
    const tell = (changed: string[], ...more: string[]) => verify(written(changed), ...more)
    const swapped = lines.with(3, lines[4]!).with(4, lines[3]!)
    for (const [why, changed] of Object.entries({
      'Entry 5 was changed': lines.with(5, lines[5]!.replace('0.1000', '0.2000')),
      'Entry 5 is missing': lines.toSpliced(5, 1),
      'Entry 3 is missing': swapped,
      'ends at entry 8': lines.slice(0, 9),
      'Where entry 11 belongs': [...lines, 'more'],
      'one of another history': [lines[0]!.replace('"affiliate":7', '"affiliate":8'), ...lines.slice(1)],
    }))
      expect(tell(changed), why).toMatchObject({ status: 1, told: expect.stringContaining(why) })
    // every character of an entry counts
    const at = lines[6]!.indexOf('pending') + 2
    expect(tell(lines.with(6, `${lines[6]!.slice(0, at)}x${lines[6]!.slice(at + 1)}`)).status).toBe(1)
    const rewritten = (await proofOf(chain(10, (seq) => ({ ...usual(seq), ...(seq === 3 && { payout: '9.0000' }) })))).lines
    expect(tell(rewritten).status).toBe(0)
    expect(tell(rewritten, '--head', `4:${list[3]!.hash}`)).toMatchObject({
      status: 1,
      told: expect.stringContaining('not what they were'),
    })
    expect(tell(lines, written((await proofOf(chain(12))).lines))).toMatchObject({
      status: 1,
      told: expect.stringContaining('some were taken out'),
    })
  })

  test('what it cannot read it does not judge', () => {
    for (const args of [[], ['/nowhere/proof.jsonl'], [written([])], [written(['{}'])]]) expect(verify(...args).status).toBe(2)
  })
})
