/** How long after a load failure the page reloads itself. */
export const RELOAD_DELAY = 100

const MESSAGES =
  /failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed|unable to preload css|loading (css )?chunk .+ failed|failed to load module script/i

/** Whether an error means that a part of the app itself could not be loaded. */
export function isLoadFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'ChunkLoadError' || MESSAGES.test(error.message)
}

const KEY = 'ohma.reloads'
const WINDOW = 60_000
const MOST = 3

/**
 * Whether the page may reload itself once more. A file that is really gone would otherwise reload it for ever: three
 * times a minute is enough to get over a new version being installed. A browser that does not keep the count may not:
 * memory forgets it with each reload.
 */
export function mayReloadAgain(storage: () => Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  try {
    const earlier = (storage().getItem(KEY) ?? '').split(',').map(Number)
    const recent = earlier.filter((time) => time > now - WINDOW && time <= now)
    if (recent.length >= MOST) return false
    storage().setItem(KEY, [...recent, now].join(','))
    return true
  } catch {
    return false
  }
}
