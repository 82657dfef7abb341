import { Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { offerApi } from '#contract/offers/offer.ts'
import { CallError } from '#web/api/call-error.ts'
import { query } from '#web/api/query.ts'
import { AffiliateSelect } from '#web/features/offers/offer/detail/affiliate-select.tsx'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { fieldText } from '#web/i18n/language.ts'
import { LinkFields, type LinkDraft } from '#web/kit/fields/link-fields.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'

/** The link of an affiliate, for staff who answer “what is my link?”. */
export function AffiliateLink({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const [affiliate, setAffiliate] = useState<string | null>(null)
  const [draft, setDraft] = useState<LinkDraft>({})
  const [settled] = useDebouncedValue(draft, 250)
  const built = useQuery({
    ...query(
      offerApi.affiliateLink,
      { params: { uuid: offer.uuid }, body: { ...settled, affiliate_uuid: affiliate ?? '' } },
      { quiet: true },
    ),
    enabled: affiliate !== null,
    placeholderData: keepPreviousData,
  })
  const errors = built.error instanceof CallError ? built.error.fields : {}
  const refused = affiliate === null ? undefined : errors['affiliate_uuid']
  const link = affiliate === null || refused !== undefined ? undefined : built.data
  return (
    <Stack gap={10}>
      <h3>{t('affiliateLink.title')}</h3>
      <p className="ohma-soft">{t('affiliateLink.text')}</p>
      <AffiliateSelect
        value={affiliate}
        error={refused && fieldText(refused)}
        onChange={(uuid) => {
          setAffiliate(uuid)
          // another affiliate may have other landings
          setDraft({ ...draft, landing: '' })
        }}
      />
      {link && (
        <div>
          <CopyField label={t('affiliateLink.url')} text={link.url} />
          <LinkFields draft={draft} onChange={setDraft} offered={link} errors={errors} />
        </div>
      )}
    </Stack>
  )
}
