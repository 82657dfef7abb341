import { ERRORS, type ErrorCode } from '#contract/errors.ts'

/** Field name → what is wrong with it, shown at the field of a form. */
export type FieldErrors = Record<string, string>

/** An error a caller is meant to see: a code of `contract/errors.ts`, and the fields it concerns. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldErrors | undefined
  /** Seconds to wait before another try, sent as `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options: { fields?: FieldErrors; retryAfter?: number; cause?: unknown } = {}) {
    super(ERRORS[code].text, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.fields = options.fields
    this.retryAfter = options.retryAfter
  }
}
