/**
 * Whether an error lies in what was asked, which asked again fails again: data and constraints PostgreSQL refuses (classes 21, 22, 23, 54),
 * or text that cannot be read. A table or a right that is not there, or a mistake of the program, is no fault of the data: all would fail
 * by it until somebody mends it.
 */
export function isOfItsData(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') return /^(21|22|23|54).{3}$/.test(error.code)
  return error instanceof RangeError || error instanceof SyntaxError || error instanceof URIError
}

/**
 * Whether an error says that PostgreSQL cannot be asked just now (it is down, starting, full or too slow) or asks to try
 * the same again (deadlock, serialization): then nothing is wrong with what was asked.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // a file that is not there is no socket that is not there
  if ('path' in error) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // classes 08 connection, 40 rollback, 53 resources, 57 operator intervention; lock not available; Node's socket errors
  if (/^(08|40|53|57).{3}$/.test(code) || code === '55P03' || /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH)/.test(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/i.test(error.message)
}
