/** How long a part of the app's code may take to load. */
export const CHUNK_TIMEOUT = 120_000

/** A part of the app did not come within `CHUNK_TIMEOUT`. */
class ChunkTimeout extends Error {
  override readonly name = 'ChunkLoadError'
}

/** Loads code, at most for the chunk time-out: whatever is imported when it is needed is imported within it. */
export function withinChunkTimeout<T>(load: () => Promise<T>, timeout = CHUNK_TIMEOUT): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkTimeout('a part of the app took too long to load')), timeout)
    load()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
