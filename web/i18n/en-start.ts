import { START_ERRORS } from '#contract/start-errors.ts'
import { LOCAL_TEXTS } from '#web/api/call-error.ts'
import auth from '#web/features/people/auth/auth.en.json' with { type: 'json' }
import common from './en/common.json' with { type: 'json' }
import shell from './en/shell.json' with { type: 'json' }

/** Texts of failures by numeric code, of those there are before sign-in. English is the language of the contract's own table. */
const error: Record<string, string> = {
  ...Object.fromEntries(Object.values(START_ERRORS).map(({ code, text }) => [code, text])),
  ...LOCAL_TEXTS,
}

/** The English texts that every page needs, those before sign-in too. */
export const enStart = { auth, common, error, shell }
