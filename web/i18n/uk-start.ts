import auth from '#web/features/people/auth/auth.uk.json' with { type: 'json' }
import error from './uk/error.json' with { type: 'json' }
import common from './uk/common.json' with { type: 'json' }
import shell from './uk/shell.json' with { type: 'json' }

/** What is said of a field before the texts of the panel are there, all of `uk/field.json`; the others come at the first key. */
const field = { Required: 'Обов’язкове поле' }

/** The Ukrainian texts that every page needs, those before sign-in too. */
export const ukStart = { auth, common, error, field, shell }
