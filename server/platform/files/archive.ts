import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { PassThrough } from 'node:stream'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'

// A tar file (POSIX ustar) compressed with Zstandard, so that ordinary tools can look into it: `tar --zstd -tf file`.

const BLOCK = 512
/** Streams of unknown length are cut into entries of this size, named `<name>/000001` and so on. */
const PIECE_BYTES = 8 * 1024 * 1024

export type Archive = {
  /** Adds one entry. */
  add(name: string, content: Buffer | string): Promise<void>
  /** Adds a stream as numbered pieces and resolves to what was written. */
  addStream(name: string, chunks: AsyncIterable<Buffer>): Promise<{ bytes: number; sha256: string }>
  /** Ends the file; only then is it whole. */
  close(): Promise<void>
}

/** Begins an archive file. Names are ASCII, at most 100 characters. */
export function createArchive(file: string): Archive {
  const tar = new PassThrough({ highWaterMark: PIECE_BYTES })
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } })
  const written = pipeline(tar, compress, createWriteStream(file, { mode: 0o600 }))
  written.catch(() => {}) // reported by the next write and by close()
  const write = async (bytes: Buffer) => {
    if (tar.write(bytes)) return
    await Promise.race([new Promise<void>((resolve) => tar.once('drain', resolve)), written])
  }
  const add = async (name: string, content: Buffer | string) => {
    const body = typeof content === 'string' ? Buffer.from(content) : content
    await write(headerOf(name, body.length))
    await write(body)
    if (body.length % BLOCK !== 0) await write(Buffer.alloc(BLOCK - (body.length % BLOCK)))
  }
  return {
    add,
    async addStream(name, chunks) {
      const hash = createHash('sha256')
      let held: Buffer[] = []
      let heldBytes = 0
      let bytes = 0
      let piece = 0
      const flush = async () => {
        piece += 1
        await add(`${name}/${String(piece).padStart(6, '0')}`, Buffer.concat(held))
        held = []
        heldBytes = 0
      }
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        held.push(chunk)
        heldBytes += chunk.length
        if (heldBytes >= PIECE_BYTES) await flush()
      }
      if (heldBytes > 0) await flush()
      return { bytes, sha256: hash.digest('hex') }
    },
    async close() {
      tar.end(Buffer.alloc(BLOCK * 2))
      await written
    },
  }
}

/** Reads an archive from the beginning, entry by entry. Throws when it is cut off or is something else. */
export async function* readArchive(file: string): AsyncGenerator<{ name: string; content: Buffer }> {
  const source = createReadStream(file)
  const tar = createZstdDecompress()
  const read = pipeline(source, tar)
  read.catch(() => {}) // reported by the iteration below
  let rest: Buffer = Buffer.alloc(0)
  let wanted = BLOCK
  let entry: { name: string; size: number } | null = null
  let held: Buffer[] = []
  let heldBytes = 0
  // A stream without an encoding yields buffers.
  for await (const chunk of tar as AsyncIterable<Buffer>) {
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < wanted) continue
    rest = Buffer.concat(held)
    while (rest.length >= wanted) {
      if (entry === null) {
        entry = readHeader(rest.subarray(0, BLOCK))
        rest = rest.subarray(BLOCK)
        if (entry === null) return
        wanted = Math.ceil(entry.size / BLOCK) * BLOCK
      } else {
        yield { name: entry.name, content: rest.subarray(0, entry.size) }
        rest = rest.subarray(wanted)
        entry = null
        wanted = BLOCK
      }
    }
    held = [rest]
    heldBytes = rest.length
  }
  throw new Error(`${file} is cut off`)
}

function headerOf(name: string, size: number): Buffer {
  if (name.length > 100 || /[^\x20-\x7e]/.test(name)) throw new Error(`"${name}" cannot name an entry of an archive`)
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write(
    `${Math.floor(Date.now() / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  )
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Null at the end mark. */
function readHeader(header: Buffer): { name: string; size: number } | null {
  if (header.every((byte) => byte === 0)) return null
  const text = (from: number, to: number) => header.subarray(from, to).toString('latin1').split('\0')[0] ?? ''
  const expected = Number.parseInt(text(148, 156), 8)
  const blanked = Buffer.from(header)
  blanked.write('        ', 148)
  if (expected !== checksumOf(blanked)) throw new Error('this is no archive, or it is damaged')
  return { name: text(0, 100), size: Number.parseInt(text(124, 136), 8) }
}

function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0)
}
