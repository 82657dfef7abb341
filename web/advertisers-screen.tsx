import { advertiserApi } from '#contract/people/advertiser.ts'
import { AdvertiserList } from '#web/features/people/advertiser/advertiser-list.tsx'
import { AssignButton } from '#web/features/people/assignment/assign-button.tsx'
import { ImportButton } from '#web/features/people/import/import-button.tsx'
import { useCan } from '#web/shell/access.ts'

const REFRESH = [advertiserApi.list, advertiserApi.get]

/** /roles/advertisers: the list, with import and giving to managers, which are features of their own. */
export function AdvertisersScreen() {
  const can = useCan()
  return (
    <AdvertiserList
      more={can('advertiser.write') && <ImportButton kind="advertiser" refresh={REFRESH} />}
      bulk={(list) => <AssignButton list={list} kind="advertiser" refresh={REFRESH} />}
    />
  )
}
