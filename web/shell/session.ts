import { useMemo } from 'react'
import { create } from 'zustand'
import type { z } from 'zod'
import type { Role } from '#contract/access.ts'
import { authApi, type login } from '#contract/people/auth.ts'
import { call } from '#web/api/call.ts'
import { forgetConstants } from '#web/api/constants.ts'
import { sessionStore } from '#web/browser-store.ts'
import { queryClient } from '#web/api/query.ts'
import { createLoginStore, LOGGED_OUT, restoreLogin, type LoginState } from './login/login-state.ts'
import { useFactorNeeded } from './factor-needed.ts'
import { runtime } from './runtime.ts'
import { clearCookies, parseRole, readCookies, writeCookies, type SessionCookies } from './login/session-cookies.ts'

export type Session = {
  token: string
  /** undefined while nobody is signed in. */
  role: Role | undefined
  uuid: string
  type: string
  email: string
  /** Whether a member of staff acts as this affiliate. */
  acting: boolean
}

const useLogin = createLoginStore(() => sessionStore)
/** The cookies as this page knows them: read at the start, and after each write of our own. */
const useCookies = create<{ values: SessionCookies }>(() => ({ values: {} }))

/** Restores what is left of an earlier sign-in: the login state and the cookies. Comes before the first render. */
export async function restoreSession(): Promise<void> {
  await restoreLogin(useLogin)
  rereadCookies()
}

/** Who is signed in, inside a component. */
export function useSession(): Session {
  const state = useLogin()
  const cookies = useCookies(({ values }) => values)
  return useMemo(() => sessionOf(state, cookies), [state, cookies])
}

/** Who is signed in, outside of components. */
export function currentSession(): Session {
  return sessionOf(useLogin.getState(), useCookies.getState().values)
}

/** A person counts as logged in if the login state says so, or both a token and a role cookie exist. */
export function sessionOf(state: LoginState, cookies: SessionCookies): Session {
  const restored = cookies.token !== undefined && cookies.role !== undefined
  if (!state.loggedIn && !restored) return { token: '', role: undefined, uuid: '', type: '', email: '', acting: false }
  return {
    token: cookies.token ?? state.token,
    role: parseRole(cookies.role) ?? parseRole(state.role),
    uuid: cookies.uuid ?? state.uuid,
    type: (cookies.type ?? state.type).toLowerCase(),
    email: cookies.email ?? state.email,
    acting: cookies.oldToken !== undefined,
  }
}

/** Calls back when another role is signed in, or nobody any more. */
export function onRoleChange(changed: () => void): void {
  let role = currentSession().role
  const look = () => {
    if (currentSession().role === role) return
    role = currentSession().role
    changed()
  }
  useLogin.subscribe(look)
  useCookies.subscribe(look)
}

let signedInHere = false

/** Whether whoever is signed in did so on this page, and was not signed in when it was opened. */
export function hasSignedInHere(): boolean {
  return signedInHere
}

/** The token of a sign-in that waits for its second factor; it is nowhere but on this page. */
export const useSecondStep = create<{ token?: string | undefined }>(() => ({}))

/** Goes back from the code to the password. */
export function leaveSecondStep(): void {
  useSecondStep.setState({ token: undefined })
}

/** Keeps what a sign-in answered: in the cookies and in the login state; where a second factor is asked for, until that is there too. */
export function signIn(data: z.output<typeof authApi.login.response | typeof login>): void {
  if ('second_factor' in data) return useSecondStep.setState({ token: data.second_factor })
  leaveSecondStep()
  signedInHere = true
  startAfresh()
  clearCookies(document, runtime().cookies, isSecure())
  keep({ token: data.token, role: data.user_role.toLowerCase(), uuid: data.uuid, type: data.type.toLowerCase(), email: data.email })
}

/** Ends the session on the server and here. All cookies go even if the call fails; while acting, both tokens end. */
export async function signOut(): Promise<void> {
  const { token } = currentSession()
  const { oldToken } = useCookies.getState().values
  const tokens = [token, oldToken].filter((one) => one !== undefined && one !== '')
  await Promise.allSettled(tokens.map((one) => call(authApi.logout, {}, { token: one, quiet: true })))
  history.replaceState(null, '', '/login') // whoever signs in next starts at home
  dropSession()
}

/** Forgets the session here: after logout, and when the server answers 401. */
export function dropSession(): void {
  clearCookies(document, runtime().cookies, isSecure())
  rereadCookies()
  useLogin.setState(LOGGED_OUT)
  startAfresh()
}

/**
 * Exchanges the own token for one of an affiliate: the own token, role and uuid go to the "old" cookies, the new token
 * is stored, the role becomes affiliate, and the page reloads at the affiliate's home.
 */
export async function actAs(affiliateUuid: string): Promise<void> {
  const own = currentSession()
  const given = await call(authApi.getAffiliateToken, { body: { uuid: affiliateUuid } }).catch(() => undefined) // the call showed why not
  if (given === undefined) return
  writeCookies(document, runtime().cookies, { oldToken: own.token, oldRole: own.role, oldUuid: own.uuid }, isSecure())
  keep({ token: given.token, role: 'affiliate', uuid: given.uuid, type: 'affiliate', email: given.email })
  reloadAtHome()
}

/** Goes back from acting as an affiliate to the own session. */
export async function exitActing(): Promise<void> {
  const { oldToken, oldRole, oldUuid } = useCookies.getState().values
  if (oldToken === undefined || oldRole === undefined || oldUuid === undefined) return
  await call(authApi.logout, {}, { quiet: true }).catch(() => undefined) // the affiliate token ends by itself in any case
  const me = await call(authApi.me, {}, { token: oldToken, quiet: true }).catch(() => undefined) // the old cookies hold no e-mail
  clearCookies(document, runtime().cookies, isSecure())
  keep({ token: oldToken, role: oldRole, uuid: oldUuid, type: 'manager', email: me?.email ?? '' })
  reloadAtHome()
}

/**
 * Another tab may have signed in, out or begun to act as somebody. When the cookies no longer hold the token this page
 * works with, it starts again with theirs.
 */
export function followOtherTabs(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return
    const known = useCookies.getState().values.token
    const present = readCookies(document, runtime().cookies).token
    if (known === present) return
    if (present === undefined) dropSession()
    else location.reload()
  })
}

function keep(values: { token: string; role: string; uuid: string; type: string; email: string }): void {
  writeCookies(document, runtime().cookies, values, isSecure())
  rereadCookies()
  useLogin.setState({ loggedIn: true, ...values })
}

function rereadCookies(): void {
  useCookies.setState({ values: readCookies(document, runtime().cookies) })
}

/** Nothing that one person loaded may be seen by the next. */
function startAfresh(): void {
  queryClient.clear()
  forgetConstants()
  useFactorNeeded.setState({ needed: false })
}

function isSecure(): boolean {
  return location.protocol === 'https:'
}

/** The present address may be no screen of the other role. */
function reloadAtHome(): void {
  history.replaceState(null, '', '/')
  location.reload()
}
