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
