import { advertiserApi } from '#contract/people/advertiser.ts'
import { AdvertiserList } from '#web/features/people/advertiser/advertiser-list.tsx'
import { AssignButton } from '#web/features/people/assignment/assign-button.tsx'

/** /roles/advertisers: the list, with giving to managers, which is a feature of its own. */
export function AdvertisersScreen() {
  return (
    <AdvertiserList bulk={(list) => <AssignButton list={list} kind="advertiser" refresh={[advertiserApi.list, advertiserApi.get]} />} />
  )
}
