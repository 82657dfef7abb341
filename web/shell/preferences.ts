import { AS_IT_COMES, preferences, type Preferences } from '#contract/people/preference.ts'
import { remember, useRemembered } from '#web/kit/remembered.ts'
import { useSession } from '#web/shell/session.ts'

/** How who is signed in likes the panel to be, as this browser remembers it; undefined while it knows nothing yet. */
export function useKnownPreferences(): Preferences | undefined {
  const { uuid } = useSession()
  return useRemembered(keyOf(uuid), isPreferences)[0]
}

/** The same, as the panel comes until it is known. */
export function usePreferences(): Preferences {
  return useKnownPreferences() ?? AS_IT_COMES
}

/** Lets this browser remember what the server keeps. */
export function rememberPreferences(uuid: string, chosen: Preferences): void {
  remember(keyOf(uuid), chosen)
}

const keyOf = (uuid: string) => `preferences.${uuid}`

function isPreferences(value: unknown): value is Preferences {
  return preferences.safeParse(value).success
}
