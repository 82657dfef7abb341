import { refuseIf } from './books.ts'
import type { By, Model } from './state.ts'

/** Whether a call of this key was made before; said again, it is its maker's alone. */
export function isCallAgain({ calls }: Model, { account }: By, key: string): boolean {
  const caller = calls.get(key)
  refuseIf(caller !== undefined && caller !== account, 'conflict')
  return caller !== undefined
}
