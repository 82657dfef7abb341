import { ResizeFit, Transformer } from '@napi-rs/image'
import { imageSize } from 'image-size'

/** A picture as it is kept: WebP without any metadata. */
export type Picture = { webp: Buffer; width: number; height: number }

const READABLE: readonly (string | undefined)[] = ['png', 'jpg', 'webp']
/** Decoded, a picture takes four bytes a pixel. */
const MOST_PIXELS = 25_000_000
const LONGEST_SIDE = 1_600
const QUALITY = 82

/**
 * Makes a stranger's picture safe to serve: its kind is read from the bytes, its size before anything is decoded, and only
 * what is drawn again from its pixels is kept. Null when it is no PNG, JPEG or WebP, is damaged, or has too many pixels.
 */
export async function readPicture(bytes: Uint8Array): Promise<Picture | null> {
  const size = sizeOf(bytes)
  if (size === null || size.width * size.height > MOST_PIXELS) return null
  const work = queue.then(() => redraw(bytes, Math.max(size.width, size.height) > LONGEST_SIDE))
  queue = work.catch(() => {})
  return work.catch(() => null)
}

/** One at a time: the largest takes 100 MB. */
let queue: Promise<unknown> = Promise.resolve()

async function redraw(bytes: Uint8Array, shrink: boolean): Promise<Picture> {
  const picture = new Transformer(bytes).rotate()
  if (shrink) picture.resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: ResizeFit.Inside })
  const webp = await picture.webp(QUALITY)
  const { width, height } = imageSize(webp)
  return { webp, width, height }
}

function sizeOf(bytes: Uint8Array): { width: number; height: number } | null {
  try {
    const { type, width, height } = imageSize(bytes)
    return READABLE.includes(type) && width > 0 && height > 0 ? { width, height } : null
  } catch {
    return null
  }
}
