import { AffiliateList } from '#web/features/people/affiliate/affiliate-list.tsx'
import { InvitationsButton } from '#web/features/people/application/invitations-button.tsx'
import { useCan } from '#web/shell/access.ts'

/** /roles/affiliates: the list, with invitations to sign up, which are a feature of their own. */
export function AffiliatesScreen() {
  const can = useCan()
  return <AffiliateList more={can('affiliate.write') && <InvitationsButton />} />
}
