import { POSTBACK_REFUSALS } from '#contract/traffic/postback-outcome.ts'
import type { NotUnderstood } from '#server/rules/conversion/postback-meaning.ts'
import type { IncomingResult } from './incoming.queries.ts'

/** A refusal in a sentence, with what was not understood. */
export function sayRefusal({ refusal, detail }: NotUnderstood): string {
  const { text } = POSTBACK_REFUSALS[refusal]
  return detail === undefined ? text : `${text} (${detail})`
}

/** A refusal as it is stored and answered, with the parameter that was not understood. */
export function refused({ refusal: reason, parameter, detail }: NotUnderstood): IncomingResult {
  const { status } = POSTBACK_REFUSALS[reason]
  const text = sayRefusal({ refusal: reason, detail })
  return {
    outcome: 'refused',
    reason,
    conversionId: null,
    answer: {
      httpStatus: status,
      body: {
        status: status === 200 ? 'success' : 'error',
        outcome: 'refused',
        reason,
        text,
        ...(parameter !== undefined && { parameter }),
        ...(detail !== undefined && { detail }),
      },
    },
  }
}

/** What is said of an amount that nothing follows. */
export const AMOUNT_NOTED = 'The goal has a price of its own: the amount is noted, and all money stays as it was.'
