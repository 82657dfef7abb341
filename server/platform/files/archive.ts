import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import tar from 'tar-stream'

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

/** Begins a tar file compressed with Zstandard, which ordinary tools can look into: `tar --zstd -tf file`. */
export function createArchive(file: string): Archive {
  const pack = tar.pack()
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } })
  const written = pipeline(pack, compress, createWriteStream(file, { mode: 0o600, flush: true }))
  written.catch(() => {}) // reported by the next entry and by close()
  const add = async (name: string, content: Buffer | string) => {
    const added = new Promise<void>((resolve, reject) => {
      const entry = pack.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()))
      // a file that cannot be written ends it too, and `written` says so: twice it would end the process
      entry.on('error', () => {})
    })
    await Promise.race([added, written])
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
      pack.finalize()
      await written
    },
  }
}

/** Reads an archive from the beginning, entry by entry. Throws when it is cut off or is something else. */
export async function* readArchive(file: string): AsyncGenerator<{ name: string; content: Buffer }> {
  const extract = tar.extract()
  const read = pipeline(createReadStream(file), createZstdDecompress(), extract)
  read.catch(() => {}) // reported by the iteration, or below
  for await (const entry of extract) yield { name: entry.header.name, content: await buffer(entry) }
  await read
}
