import { z } from 'zod'
import { STANDARD_TEXTS } from '#contract/start-errors.ts'

/** Failures that no server answered with. */
export const LOCAL_TEXTS = {
  data_loading: 'Data loading error',
  cross_domain: 'Cross-domain request blocked',
  timeout: 'The server did not answer in time.',
} as const
export type LocalFailure = keyof typeof LOCAL_TEXTS

/** Why a call failed. `status` is 0 when no answer came; `codes` maps the envelope's numeric codes to their texts. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  readonly codes: Readonly<Record<string, string>>
  /** Dotted path of an input field → what is wrong with it. */
  readonly fields: Readonly<Record<string, string>>
  /** What the text of the failure names: amounts, moments. */
  readonly values: Readonly<Record<string, string>>
  readonly requestId: string | undefined
  readonly local: LocalFailure | undefined
  /** Seconds to wait before another try, where the answer says so. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    details: {
      status?: number
      codes?: Record<string, string>
      fields?: Record<string, string>
      values?: Record<string, string>
      requestId?: string
      local?: LocalFailure
      retryAfter?: number
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: details.cause })
    this.status = details.status ?? 0
    this.codes = details.codes ?? {}
    this.fields = details.fields ?? {}
    this.values = details.values ?? {}
    this.requestId = details.requestId
    this.local = details.local
    this.retryAfter = details.retryAfter
  }

  /** Whether the envelope carries this numeric code. */
  has(code: number): boolean {
    return String(code) in this.codes
  }
}

const texts = z.record(z.string(), z.string())
const failure = z.object({
  status: z.literal('error'),
  errors: texts,
  data: z.object({ fields: texts.optional(), values: texts.optional() }).nullish(),
})

/** Reads the envelope of a failure; undefined when the body is none. */
export function readFailure(body: unknown): Pick<CallError, 'codes' | 'fields' | 'values'> | undefined {
  const parsed = failure.safeParse(body)
  return parsed.success
    ? { codes: parsed.data.errors, fields: parsed.data.data?.fields ?? {}, values: parsed.data.data?.values ?? {} }
    : undefined
}

/** A failure that no server answered with. */
export function localFailure(local: LocalFailure, details: { requestId?: string; cause?: unknown } = {}): CallError {
  return new CallError(LOCAL_TEXTS[local], { ...details, local })
}

/**
 * What people read about a failed call: with an envelope one "code - text" per entry, without one "status: text",
 * without any answer the raw message. Standard texts of the specification replace whatever text came; `textOf` gives
 * them, and all others we know, in the language on the screen.
 */
export function messagesOf(
  error: CallError,
  textOf: (code: string, values: Readonly<Record<string, string>>) => string | undefined = (code) => STANDARD_TEXTS[code],
): string[] {
  const entries = Object.entries(error.codes)
  if (entries.length > 0) return entries.map(([code, text]) => `${code} - ${textOf(code, error.values) ?? text}`)
  if (error.local !== undefined) return [textOf(error.local, {}) ?? error.message]
  if (error.status >= 400) return [`${error.status}: ${textOf(String(error.status), {}) ?? error.message}`]
  return [error.message]
}
