import { affiliateApi } from '#contract/people/affiliate.ts'
import { AffiliateList } from '#web/features/people/affiliate/affiliate-list.tsx'
import { MailLinksButton } from '#web/features/people/affiliate/mail-links-button.tsx'
import { InvitationsButton } from '#web/features/people/application/invitations-button.tsx'
import { AssignButton } from '#web/features/people/assignment/assign-button.tsx'
import { ImportButton } from '#web/features/people/import/import-button.tsx'
import { useCan } from '#web/shell/access.ts'

const REFRESH = [affiliateApi.list, affiliateApi.get]

/** /roles/affiliates: the list, with invitations to sign up, import and giving to managers, which are features of their own. */
export function AffiliatesScreen() {
  const can = useCan()
  return (
    <AffiliateList
      more={
        can('affiliate.write') && (
          <>
            <ImportButton kind="affiliate" refresh={REFRESH} />
            <InvitationsButton />
          </>
        )
      }
      bulk={(list) => (
        <>
          <MailLinksButton list={list} />
          <AssignButton list={list} kind="affiliate" refresh={REFRESH} />
        </>
      )}
    />
  )
}
