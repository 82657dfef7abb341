import type { Words } from '#web/kit/status/status-look.ts'

/** Why something is stuck; a code nobody has words for stays as it is. */
export function reasonOf(reason: string, t: Words): string {
  return t(`reason.${reason}`, { defaultValue: reason })
}
