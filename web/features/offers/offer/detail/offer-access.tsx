import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { AccessList } from '#web/features/offers/offer/detail/access-list.tsx'
import { AddAffiliates } from '#web/features/offers/offer/detail/add-affiliates.tsx'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { useCan } from '#web/shell/access.ts'

/** Who has access to an offer, and whom staff give it. */
export function OfferAccess({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const mayWrite = useCan()('offer.write') && offer.editable
  const [adding, setAdding] = useState(false)
  return (
    <>
      <AccessList
        of={{ offer: offer.uuid }}
        mayWrite={mayWrite}
        title={t('access.title')}
        empty={t(`access.empty.${offer.privacy}`)}
        actions={
          mayWrite && (
            <Button variant="default" leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
              {t('access.add')}
            </Button>
          )
        }
        exportName={`offer-${offer.id}-access`}
      />
      {adding && <AddAffiliates offer={offer} onClose={() => setAdding(false)} />}
    </>
  )
}
