import { RecoldDetails } from '#web/features/leads/recold/recold-details.tsx'
import { SessionPanel } from '#web/features/leads/user-session/session-panel.tsx'

/** /cold-api/re-cold-api/list/:uuid: a distribution and its leads are two features, which is why it stands outside of them. */
export function RecoldScreen() {
  return <RecoldDetails panel={(of) => <SessionPanel {...of} />} />
}
