/** Why a call to somebody else's server got no answer. */
export const OUTBOUND_ERRORS = [
  'refused_target',
  'private_address',
  'host_not_found',
  'connection_refused',
  'connection_reset',
  'tls_failed',
  'timed_out',
  'too_many_redirects',
  'failed',
] as const

/** Why a postback to an affiliate was not delivered, where it is not "HTTP " and the status of the answer. */
export const DELIVERY_ERRORS = [...OUTBOUND_ERRORS, 'postback_removed'] as const
