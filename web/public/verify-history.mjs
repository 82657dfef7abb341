#!/usr/bin/env node
// Checks a proof of an affiliate's history, as Ohma hands it out. Needs Node.js 18 or newer and nothing else; asks nobody.
//
//   node verify-history.mjs proof.jsonl                         every entry follows from the one before it
//   node verify-history.mjs proof.jsonl earlier.jsonl           ... and the chain still begins with what it was then
//   node verify-history.mjs proof.jsonl --head 120:9f86d081...  ... the same, by the head a statement names
//
// The file is JSON Lines. The first line names the head of the chain: how many entries there are, and the hash of the last.
// Every other line is one entry {"seq","hash","body"}; hash = SHA-256(hash of the entry before, as 32 bytes, followed by the
// body in UTF-8). Before the first entry the hash is 32 zero bytes. Ends with 0 if all is well, 1 if something was changed or
// left out, 2 if it cannot tell.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

const GENESIS = { seq: 0, hash: '0'.repeat(64) }
const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/

class Broken extends Error {}
class Unreadable extends Error {}

async function main([file, ...rest]) {
  if (file === undefined || file.startsWith('-') || rest.length > 2)
    throw new Unreadable('Usage: node verify-history.mjs proof.jsonl [earlier.jsonl | --head NUMBER:HASH]')
  const earlier = await readEarlier(rest)
  const found = await verify(file, earlier)
  const { affiliate, head, conversions, approved } = found
  console.log(`Affiliate ${affiliate}: ${head.seq} entries of ${conversions} conversions. None is missing and none was changed.`)
  for (const [currency, { count, units }] of [...approved].sort())
    console.log(`Approved now: ${count} conversions, ${decimal(units)} ${currency}`)
  if (earlier !== undefined) console.log(`It begins with the ${earlier.seq} entries that were there before.`)
  console.log(`Head: ${head.seq}:${head.hash}`)
  console.log('It cannot show that a result nobody reported ever happened.')
}

/** The head of an earlier proof, or of the command line. */
async function readEarlier([first, second]) {
  if (first === undefined) return undefined
  if (first !== '--head') return (await readHeader(first)).head
  const match = HEAD.exec(second ?? '')
  if (match === null) throw new Unreadable('A head is written NUMBER:HASH, with 64 hexadecimal digits')
  return { seq: Number(match[1]), hash: match[2] }
}

async function readHeader(file) {
  for await (const line of linesOf(file)) return headerOf(line, file)
  throw new Unreadable(`${file} is empty`)
}

async function verify(file, earlier) {
  let header
  let head = GENESIS
  let met = earlier === undefined || same(earlier, GENESIS)
  const last = new Map()
  for await (const line of linesOf(file)) {
    if (header === undefined) {
      header = headerOf(line, file)
      continue
    }
    const entry = entryOf(line, head.seq + 1)
    if (entry.seq !== head.seq + 1) throw new Broken(`Entry ${head.seq + 1} is missing: after ${head.seq} comes ${entry.seq}.`)
    const hash = createHash('sha256').update(Buffer.from(head.hash, 'hex')).update(entry.body, 'utf8').digest('hex')
    if (hash !== entry.hash) throw new Broken(`Entry ${entry.seq} was changed, or one before it: its hash does not follow.`)
    const body = bodyOf(entry)
    if (body.seq !== entry.seq || body.affiliate !== header.affiliate) throw new Broken(`Entry ${entry.seq} is one of another history.`)
    last.set(body.conversion, body)
    head = { seq: entry.seq, hash }
    if (earlier !== undefined && earlier.seq === head.seq) {
      if (!same(earlier, head))
        throw new Broken(`The first ${earlier.seq} entries are not what they were: entry ${earlier.seq} had another hash.`)
      met = true
    }
  }
  if (header === undefined) throw new Unreadable(`${file} is empty`)
  if (!same(head, header.head))
    throw new Broken(`The file ends at entry ${head.seq}, its first line says ${header.head.seq}: what follows is missing.`)
  if (!met) throw new Broken(`Today's history has ${head.seq} entries, before it had ${earlier.seq}: some were taken out.`)
  return { affiliate: header.affiliate, head, conversions: last.size, approved: sumsOf(last.values()) }
}

function headerOf(line, file) {
  const header = jsonOf(line)
  if (header?.format !== 'ohma-history' || header.version !== 1 || !HEAD.test(`${header.head?.seq}:${header.head?.hash}`))
    throw new Unreadable(`${file} is no proof of a history this program knows`)
  return header
}

function entryOf(line, seq) {
  const entry = jsonOf(line)
  if (!Number.isSafeInteger(entry?.seq) || typeof entry.hash !== 'string' || typeof entry.body !== 'string')
    throw new Broken(`Where entry ${seq} belongs there is none.`)
  return entry
}

function bodyOf({ seq, body }) {
  const read = jsonOf(body)
  if (read === null || typeof read !== 'object') throw new Broken(`Entry ${seq} says nothing.`)
  return read
}

function jsonOf(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sums of what is approved now by currency, in units of 10^-8: no amount is rounded. */
function sumsOf(bodies) {
  const sums = new Map()
  for (const { to, payout, currency } of bodies) {
    if (to !== 'approved') continue
    const { count, units } = sums.get(currency) ?? { count: 0, units: 0n }
    sums.set(currency, { count: count + 1, units: units + unitsOf(payout) })
  }
  return sums
}

function unitsOf(text) {
  const match = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(String(text))
  if (match === null) throw new Broken(`An entry has the amount “${text}”, which is none.`)
  const units = BigInt(match[2] + (match[3] ?? '').padEnd(8, '0'))
  return match[1] === '-' ? -units : units
}

function decimal(units) {
  const digits = String(units < 0n ? -units : units).padStart(9, '0')
  const text = `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/0{1,6}$/, '')
  return units < 0n ? `-${text}` : text
}

function same(a, b) {
  return a.seq === b.seq && a.hash === b.hash
}

// By line feeds alone: readline breaks at U+2028 and U+2029 too, which may stand in what people wrote.
async function* linesOf(file) {
  let rest = ''
  for await (const piece of createReadStream(file, 'utf8')) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Broken ? `BROKEN. ${error.message}` : error.message)
  process.exitCode = error instanceof Broken ? 1 : 2
}
