import { useTranslation } from 'react-i18next'
import { AffiliateEdit } from '#web/features/people/affiliate/affiliate-form.tsx'
import { AffiliatePostbacks } from '#web/features/traffic/postback/affiliate-postbacks.tsx'
import { DeliveryList } from '#web/features/traffic/postback/delivery-list.tsx'

/** One affiliate with what several features know of it, which is why it stands outside of them. */
export function AffiliateScreen() {
  const { t } = useTranslation('postback')
  return (
    <AffiliateEdit
      more={({ uuid }) => [
        { id: 'postbacks', label: t('tab.own'), content: <AffiliatePostbacks affiliate={uuid} /> },
        { id: 'deliveries', label: t('tab.deliveries'), content: <DeliveryList affiliate={uuid} /> },
      ]}
    />
  )
}
