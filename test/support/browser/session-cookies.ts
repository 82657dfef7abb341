type Person = { token: string; role: string; uuid: string; email: string }

/** The cookies a browser holds after this person signed in at `url`. */
export function sessionCookies(url: string, { token, role, uuid, email }: Person) {
  const values = { token, role, uuid, email, type: role === 'affiliate' ? 'affiliate' : 'manager' }
  return Object.entries(values).map(([name, value]) => ({
    name: `ohma_${name}`,
    value: encodeURIComponent(value),
    url,
    sameSite: 'Strict' as const,
  }))
}
