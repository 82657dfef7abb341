import { useTranslation } from '#web/i18n/use-translation.ts'
import { OfferList } from '#web/features/offers/offer/offer-list.tsx'
import { ManagerDetail } from '#web/features/people/manager/manager-detail.tsx'
import { History } from '#web/history.tsx'
import { PersonSecurity } from '#web/person-security.tsx'
import { useCan } from '#web/shell/access.ts'

/** One manager with the offers of the advertisers they look after, which are another feature's: that is why it stands outside of both. */
export function ManagerScreen() {
  const { t } = useTranslation('offer')
  const { t: layout } = useTranslation('layout')
  const { t: common } = useTranslation('common')
  const can = useCan()
  return (
    <ManagerDetail
      more={({ uuid, name }) => [
        ...(can('offer.read') ? [{ id: 'offers', label: t('offers'), content: <OfferList of={{ manager: uuid }} /> }] : []),
        ...(can('account.security')
          ? [{ id: 'security', label: layout('security.title'), content: <PersonSecurity uuid={uuid} name={name} staff /> }]
          : []),
        { id: 'activity', label: common('tab.activity'), content: <History kind="manager" uuid={uuid} /> },
      ]}
    />
  )
}
