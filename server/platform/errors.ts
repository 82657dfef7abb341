import { ERRORS, type ErrorCode } from '#contract/errors.ts'

/** Field name → what is wrong with it, shown at the field of a form. */
export type FieldErrors = Record<string, string>

/** An error a caller is meant to see: a code of `contract/errors.ts`, and the fields it concerns. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldErrors | undefined
  /** What stands in its text in place of `{{name}}`: amounts with their currency, moments as ISO 8601. */
  readonly values: Readonly<Record<string, string>> | undefined
  /** Seconds to wait before another try, sent as `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    options: { fields?: FieldErrors; values?: Record<string, string>; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(errorText(code, options.values), { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.fields = options.fields
    this.values = options.values
    this.retryAfter = options.retryAfter
  }
}

/** The text of a failure with its values in it. */
export function errorText(code: ErrorCode, values: Readonly<Record<string, string>> = {}): string {
  return ERRORS[code].text.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => values[name] ?? '')
}
