import { ResizeFit, Transformer } from '@napi-rs/image'
import { within } from '../within.ts'

/** A picture as it is kept: WebP without any metadata. */
export type Picture = { webp: Buffer; width: number; height: number }

/** What a picture says of itself before its pixels. `bytes` = of one decoded pixel. */
type Header = { width: number; height: number; bytes: number }

const MOST_PIXELS = 25_000_000
const MOST_DECODED = 100_000_000
const LONGEST_READ = 8_000
const LONGEST_SIDE = 1_600
const QUALITY = 82
/** A progressive JPEG draws all of its pixels again in each scan; ten are usual. */
const MOST_SCANS = 100
/** Metadata of a JPEG comes in parts of 64 KB: a file of 5 MB has far fewer. */
const MOST_SEGMENTS = 1_000
const PATIENCE_MS = 20_000

/**
 * Makes a stranger's picture safe to serve: its kind and size are read from its first bytes, before anything is decoded,
 * and only what is drawn again from its pixels is kept. Null when it is no PNG, JPEG or still WebP, is damaged, is longer
 * than 8,000 pixels on a side, has more than 25 million of them or more than 100 MB, or takes longer than 20 s.
 */
export async function readPicture(bytes: Uint8Array): Promise<Picture | null> {
  const header = readHeader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (header === null) return null
  const { width, height } = header
  if (Math.min(width, height) === 0 || Math.max(width, height) > LONGEST_READ) return null
  if (width * height > MOST_PIXELS || width * height * header.bytes > MOST_DECODED) return null
  const work = queue.then(() => redraw(bytes, Math.max(width, height) > LONGEST_SIDE))
  // whoever waits is told after a while; the next one waits for the end, for nothing stops a decoder
  const told = queue.then(() => within(PATIENCE_MS, work))
  queue = work.catch(() => {})
  return told.catch(() => null)
}

/** One at a time: the largest decodes to 100 MB and, with the copies of turning and shrinking, takes up to half a GB. */
let queue: Promise<unknown> = Promise.resolve()

async function redraw(bytes: Uint8Array, shrink: boolean): Promise<Picture> {
  const picture = new Transformer(bytes).rotate()
  if (shrink) picture.resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: ResizeFit.Inside })
  const webp = await picture.webp(QUALITY)
  const header = webpHeader(webp)
  if (header === null) throw new Error('the encoder wrote no WebP')
  return { webp, width: header.width, height: header.height }
}

/** Reads a bounded number of places, whatever the file holds. */
function readHeader(file: Buffer): Header | null {
  try {
    if (file.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return pngHeader(file)
    if (file.readUInt16BE(0) === 0xffd8) return jpegHeader(file)
    return webpHeader(file)
  } catch (error) {
    // it ends before its size
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Samples of a pixel by colour type; a palette is decoded to three or four. PNG, Third Edition, 11.2.1. */
const PNG_SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 }

function pngHeader(file: Buffer): Header | null {
  const samples = PNG_SAMPLES[file.readUInt8(25)]
  if (samples === undefined || file.toString('latin1', 12, 16) !== 'IHDR') return null
  // transparency may stand beside, as one more sample
  const decoded = Math.min(4, samples + 1) * (file.readUInt8(24) === 16 ? 2 : 1)
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20), bytes: decoded }
}

/** Goes from segment to segment by their lengths up to the first frame. ITU-T T.81, B.2. */
function jpegHeader(file: Buffer): Header | null {
  let at = 2
  for (let segment = 0; segment < MOST_SEGMENTS; segment++) {
    const marker = file.readUInt16BE(at)
    const length = file.readUInt16BE(at + 2)
    if (marker < 0xffc0 || length < 2) return null
    if (marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      const frame = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7), bytes: 4 }
      return file.readUInt8(at + 4) === 8 && scansOf(file) <= MOST_SCANS ? frame : null
    }
    // pixels without a frame
    if (marker === 0xffda || marker === 0xffd9) return null
    at += 2 + length
  }
  return null
}

function scansOf(file: Buffer): number {
  const START = Buffer.from([0xff, 0xda])
  let scans = 0
  for (let at = file.indexOf(START); at >= 0 && scans <= MOST_SCANS; at = file.indexOf(START, at + 2)) scans++
  return scans
}

/** RFC 9649, 2.5 to 2.7. */
function webpHeader(file: Buffer): Header | null {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP') return null
  if (file.toString('latin1', 12, 16) !== 'VP8X') return webpFrame(file, 12)
  if ((file.readUInt8(20) & ANIMATED) !== 0) return null
  const canvas = { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 }
  let at = 30
  for (let chunk = 0; chunk < MOST_SEGMENTS; chunk++) {
    const frame = webpFrame(file, at)
    // the canvas alone may lie about what is decoded
    if (frame !== null) return frame.width === canvas.width && frame.height === canvas.height ? frame : null
    const length = file.readUInt32LE(at + 4)
    at += 8 + length + (length % 2)
  }
  return null
}

const ANIMATED = 2

function webpFrame(file: Buffer, at: number): Header | null {
  const kind = file.toString('latin1', at, at + 4)
  if (kind === 'VP8 ') return { width: file.readUInt16LE(at + 14) & 0x3fff, height: file.readUInt16LE(at + 16) & 0x3fff, bytes: 4 }
  if (kind !== 'VP8L') return null
  const sides = file.readUInt32LE(at + 9)
  return { width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1, bytes: 4 }
}
