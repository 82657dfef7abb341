import { expect, test, vi } from 'vitest'
import { clearCookies, parseRole, readCookies, writeCookies, type CookieNames } from '#web/shell/login/session-cookies.ts'
import { createLoginStore, LOGGED_OUT, PERSISTENCE_TIMEOUT, restoreLogin } from '#web/shell/login/login-state.ts'
import { sessionOf } from '#web/shell/session.ts'

const names: CookieNames = {
  token: 't',
  role: 'r',
  uuid: 'u',
  type: 'ty',
  email: 'e',
  oldToken: 'ot',
  oldRole: 'or',
  oldUuid: 'ou',
}

/** `document.cookie` as browsers have it: writing sets one, reading lists all. */
function cookieDocument() {
  const jar = new Map<string, string>()
  const written: string[] = []
  return {
    written,
    get cookie() {
      return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(text: string) {
      written.push(text)
      const [pair = '', ...attributes] = text.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (attributes.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, value)
    },
  }
}

function memory(entries: [string, string][] = []) {
  const map = new Map(entries)
  return {
    map,
    storage: {
      getItem: (key: string) => map.get(key) ?? null,
      setItem: (key: string, value: string) => void map.set(key, value),
      removeItem: (key: string) => void map.delete(key),
    },
  }
}

test('session cookies use the configured names and come back as they were written', () => {
  const document = cookieDocument()
  writeCookies(document, names, { token: 'a b;c', role: 'team lead', uuid: 'u-1' }, true)
  expect(readCookies(document, names)).toEqual({ token: 'a b;c', role: 'team lead', uuid: 'u-1' })
  expect(document.written[0]).toMatch(/^t=a%20b%3Bc; Path=\/; Max-Age=2592000; SameSite=Strict; Secure$/)
})

test('cookies are Secure over https only', () => {
  const document = cookieDocument()
  writeCookies(document, names, { token: 'x' }, false)
  expect(document.written[0]).not.toContain('Secure')
})

test('logout clears all session cookies, the old copies too', () => {
  const document = cookieDocument()
  const all = Object.fromEntries(Object.keys(names).map((key) => [key, 'x']))
  writeCookies(document, names, all, true)
  document.cookie = 'theme=dark; Path=/'
  clearCookies(document, names, true)
  expect(readCookies(document, names)).toEqual({})
  expect(document.cookie).toBe('theme=dark')
})

test('a role is read lower-cased, and only one of ours', () => {
  expect(parseRole('Team Lead')).toBe('team lead')
  expect(parseRole('root')).toBeUndefined()
  expect(parseRole(undefined)).toBeUndefined()
})

test('a person is logged in if the state says so or both a token and a role cookie exist', () => {
  expect(sessionOf(LOGGED_OUT, {}).role).toBeUndefined()
  expect(sessionOf(LOGGED_OUT, { token: 'x' })).toMatchObject({ token: '', role: undefined })
  expect(sessionOf(LOGGED_OUT, { role: 'admin' })).toMatchObject({ token: '', role: undefined })
  expect(sessionOf(LOGGED_OUT, { token: 'x', role: 'ADMIN' })).toMatchObject({ role: 'admin', token: 'x' })
  const state = { loggedIn: true, token: 'y', role: 'Manager', uuid: 'u', type: 'manager', email: 'm@x' }
  expect(sessionOf(state, {})).toMatchObject({ role: 'manager', token: 'y', uuid: 'u', email: 'm@x', acting: false })
})

test('the role comes from the lower-cased cookie, else from the state', () => {
  const state = { loggedIn: true, token: 'y', role: 'admin', uuid: 'u', type: 'manager', email: '' }
  expect(sessionOf(state, { role: 'Affiliate' }).role).toBe('affiliate')
  expect(sessionOf(state, { role: 'nonsense' }).role).toBe('admin')
})

test('old copies of the cookies mean that somebody acts as an affiliate', () => {
  expect(sessionOf(LOGGED_OUT, { token: 'x', role: 'affiliate', oldToken: 'own' }).acting).toBe(true)
})

test('only the login state is kept in the session store, and comes back from it', async () => {
  const kept = memory()
  const store = createLoginStore(() => kept.storage)
  await restoreLogin(store)
  store.setState({ loggedIn: true, token: 'x', role: 'admin', uuid: 'u', type: 'manager', email: 'a@x' })
  expect([...kept.map.keys()]).toEqual(['ohma.login'])
  const saved = JSON.parse(kept.map.get('ohma.login') ?? '') as { state: object } // zustand's format
  expect(Object.keys(saved.state)).toEqual(['loggedIn', 'token', 'role', 'uuid', 'type', 'email'])

  const next = createLoginStore(() => memory([...kept.map]).storage)
  expect(next.getState().loggedIn).toBe(false)
  await restoreLogin(next)
  expect(next.getState()).toMatchObject({ loggedIn: true, role: 'admin' })
})

test('a session store that does not answer is given up after 5 seconds', async () => {
  vi.useFakeTimers()
  try {
    expect(PERSISTENCE_TIMEOUT).toBe(5000)
    const store = createLoginStore(() => ({ ...memory().storage, getItem: () => new Promise<string | null>(() => {}) }))
    let done = false
    const restored = restoreLogin(store).then(() => (done = true))
    await vi.advanceTimersByTimeAsync(4999)
    expect(done).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await restored
    expect(store.getState().loggedIn).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})

test('a session store with nonsense in it counts as empty', async () => {
  const store = createLoginStore(() => memory([['ohma.login', '{broken']]).storage)
  await restoreLogin(store)
  expect(store.getState().loggedIn).toBe(false)
})
