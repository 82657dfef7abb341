/** What the app needs of `localStorage` and `sessionStorage`. */
export type BrowserStore = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** What the browser keeps between visits; memory where it refuses to. */
export const localStore = storeOver(() => localStorage)

/** What the browser keeps as long as the tab is open; memory where it refuses to. */
export const sessionStore = storeOver(() => sessionStorage)

/**
 * A store of the browser that never throws: one that is forbidden throws where it is only named, one that is switched off is null, and a
 * full one throws at each write. What could not be written is held in memory, until the page is loaded again.
 */
export function storeOver(store: () => BrowserStore): BrowserStore {
  const held = new Map<string, string | null>()
  const attempt = (key: string, value: string | null) => {
    try {
      if (value === null) store().removeItem(key)
      else store().setItem(key, value)
      held.delete(key)
    } catch {
      held.set(key, value)
    }
  }
  return {
    getItem(key) {
      const value = held.get(key)
      if (value !== undefined) return value
      try {
        return store().getItem(key)
      } catch {
        return null
      }
    },
    setItem: (key, value) => attempt(key, value),
    removeItem: (key) => attempt(key, null),
  }
}
