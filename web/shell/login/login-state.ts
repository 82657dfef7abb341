import { create } from 'zustand'
import { createJSONStorage, persist, type StateStorage } from 'zustand/middleware'

/** What the login state remembers of a sign-in. The role is kept as it came; readers lower-case it. */
export type LoginState = { loggedIn: boolean; token: string; role: string; uuid: string; type: string; email: string }

export const LOGGED_OUT: LoginState = { loggedIn: false, token: '', role: '', uuid: '', type: '', email: '' }

/** How long a start waits for the session store before it goes on without it. */
export const PERSISTENCE_TIMEOUT = 5000

/** Makes the store of the login state: the one thing kept in the session store of the browser. */
export function createLoginStore(storage: () => StateStorage) {
  return create<LoginState>()(
    persist(() => LOGGED_OUT, {
      name: 'ohma.login',
      storage: createJSONStorage(storage),
      skipHydration: true,
      partialize: ({ loggedIn, token, role, uuid, type, email }) => ({ loggedIn, token, role, uuid, type, email }),
    }),
  )
}

/** Restores the login state, at most for the persistence time-out; a store that is broken or slow counts as empty. */
export async function restoreLogin(store: ReturnType<typeof createLoginStore>, timeout = PERSISTENCE_TIMEOUT): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeout)
  })
  await Promise.race([Promise.resolve(store.persist.rehydrate()).catch(() => {}), tooLate])
  clearTimeout(timer)
}
