import { affiliateApi } from '#contract/people/affiliate.ts'
import { AffiliateList } from '#web/features/people/affiliate/affiliate-list.tsx'
import { InvitationsButton } from '#web/features/people/application/invitations-button.tsx'
import { AssignButton } from '#web/features/people/assignment/assign-button.tsx'
import { useCan } from '#web/shell/access.ts'

/** /roles/affiliates: the list, with invitations to sign up and giving to managers, which are features of their own. */
export function AffiliatesScreen() {
  const can = useCan()
  return (
    <AffiliateList
      more={can('affiliate.write') && <InvitationsButton />}
      bulk={(list) => <AssignButton list={list} kind="affiliate" refresh={[affiliateApi.list, affiliateApi.get]} />}
    />
  )
}
