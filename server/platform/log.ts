import pino from 'pino'

/** The process log: JSON lines on standard output; secrets never appear in it. */
export const log = pino({
  level: process.env['LOG_LEVEL'] ?? (process.env['VITEST'] ? 'silent' : 'warn'),
  base: { process: process.env['OHMA_PROCESS'] ?? 'main' },
  redact: {
    paths: [
      'token',
      'password',
      '*.token',
      '*.password',
      '*.secret',
      'headers.authorization',
      'req.headers.authorization',
      'req.headers.cookie',
    ],
    censor: '[removed]',
  },
})
