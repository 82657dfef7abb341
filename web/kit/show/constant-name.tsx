import type { Constants, Pair } from '#web/api/constant-pairs.ts'
import { useConstants } from '#web/api/constants.ts'
import { UNKNOWN } from '#web/format.ts'

export type ConstantKind = { [Name in keyof Constants]: Constants[Name] extends Pair[] ? Name : never }[keyof Constants]

/** What the network calls one of its constants; a code it does not know is shown as it is. */
export function ConstantName({ of, code }: { of: ConstantKind; code: string }) {
  return useConstants()[of].find(({ value }) => value === code)?.label ?? (code || UNKNOWN)
}
