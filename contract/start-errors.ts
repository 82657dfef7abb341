/**
 * The failures somebody can meet before sign-in, and those the client itself acts on: a part of its own of `ERRORS`, because it comes with
 * the first page.
 */
export const START_ERRORS = {
  bad_request: { code: 400, status: 400, text: 'Bad request. Please check your input.' },
  unauthorized: { code: 401, status: 401, text: 'Unauthorized. Please log in.' },
  forbidden: { code: 403, status: 403, text: "Access forbidden. You don't have permission." },
  not_found: { code: 404, status: 404, text: 'Page not found. Please check the URL.' },
  internal: { code: 500, status: 500, text: 'Server error. Please contact support.' },
  bad_gateway: { code: 502, status: 502, text: 'Bad gateway. Please try again later.' },
  wrong_credentials: { code: 1001, status: 422, text: 'Wrong e-mail or password.' },
  too_many_attempts: { code: 1002, status: 429, text: 'Too many attempts. Please wait and try again.' },
  account_blocked: { code: 1003, status: 422, text: 'This account is not active. Please contact your manager.' },
  bad_signature: { code: 1004, status: 400, text: 'The request signature is missing or wrong. Check the clock of this device.' },
  link_expired: { code: 1005, status: 410, text: 'This link is no longer valid. Ask for a new one.' },
  wrong_password: { code: 1006, status: 422, text: 'The current password is wrong.' },
  invalid_input: { code: 1010, status: 422, text: 'Some fields need your attention.' },
  email_taken: { code: 1011, status: 409, text: 'This e-mail is already in use.' },
  conflict: { code: 1012, status: 409, text: 'Somebody changed this in the meantime. Reload and try again.' },
  payload_too_large: { code: 1013, status: 413, text: 'This is too large.' },
  not_ready: { code: 1015, status: 503, text: 'The server is starting. Please try again in a moment.' },
  wrong_code: { code: 1040, status: 422, text: 'The code is wrong or was used already.' },
  step_expired: { code: 1041, status: 410, text: 'This took too long. Please log in again.' },
  second_factor_needed: { code: 1042, status: 403, text: 'Set up your second factor first.' },
  too_many_calls: { code: 1062, status: 429, text: 'Too many calls with this API key. Wait and try again.' },
  address_not_allowed: { code: 1063, status: 403, text: 'This is not allowed from your address. Ask an admin.' },
} as const

/** The standard texts of the specification, by numeric code: they replace whatever text an answer carries. */
export const STANDARD_TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    START_ERRORS.bad_request,
    START_ERRORS.unauthorized,
    START_ERRORS.forbidden,
    START_ERRORS.not_found,
    START_ERRORS.internal,
    START_ERRORS.bad_gateway,
  ].map((error) => [String(error.code), error.text]),
)
