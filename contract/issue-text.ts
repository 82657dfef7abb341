import type { z } from 'zod'

/**
 * What a schema says by itself of what somebody typed, in plain words and with what to do; undefined where its own words must do. Schemas
 * say it on both sides, so a form and a program hear the same sentence, and the panel has it in each language (`fieldText`).
 */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue
  if (issue.code === 'invalid_type' && (issue.expected === 'number' || issue.expected === 'int'))
    return typeof input === 'number' && Number.isFinite(input) ? 'Enter a whole number' : 'Enter a number'
  // an empty field is empty, whatever it should have been
  if (input === undefined || input === null || (input === '' && issue.code !== 'custom')) return 'Required'
  if (issue.code === 'too_small') return tooSmall(issue)
  if (issue.code === 'too_big') return tooBig(issue)
  return undefined
}

function tooSmall({ origin, minimum, inclusive = true }: Omit<z.core.$ZodIssueTooSmall, 'path' | 'message'>): string | undefined {
  if (NUMBERS.has(origin)) return inclusive ? `Must be ${minimum} or more` : `Must be more than ${minimum}`
  if (origin === 'string') return `At least ${minimum} characters`
  if (origin === 'array') return Number(minimum) === 1 ? 'Choose at least one' : `Choose ${minimum} or more`
  return undefined
}

function tooBig({ origin, maximum, inclusive = true }: Omit<z.core.$ZodIssueTooBig, 'path' | 'message'>): string | undefined {
  if (NUMBERS.has(origin)) return inclusive ? `Must be ${maximum} or less` : `Must be less than ${maximum}`
  if (origin === 'string') return `At most ${maximum} characters`
  if (origin === 'array') return `No more than ${maximum} at once`
  return undefined
}

const NUMBERS = new Set(['number', 'int', 'bigint'])
