import { Alert, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { CallError } from '#web/api/call-error.ts'
import { query } from '#web/api/query.ts'
import { AffiliateSelect } from '#web/features/offers/offer/detail/affiliate-select.tsx'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { fieldText } from '#web/i18n/language.ts'
import { LinkFields, type LinkDraft } from '#web/kit/fields/link-fields.tsx'
import { LinkProblem } from '#web/kit/feedback/link-problem.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'

/** The link of an affiliate, for staff who answer “what is my link?”. */
export function AffiliateLink({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const { t: report } = useTranslation('report')
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
  // what the affiliate may ask for is still offered while something it asks for is refused
  const last = useRef<{ affiliate: string | null; link: typeof built.data }>(undefined)
  if (built.data !== undefined && !built.isPlaceholderData) last.current = { affiliate, link: built.data }
  const link =
    affiliate === null || refused !== undefined
      ? undefined
      : (built.data ?? (last.current?.affiliate === affiliate ? last.current.link : undefined))
  return (
    <Stack gap={10}>
      <h3>{t('affiliateLink.title')}</h3>
      <p className="ohma-soft">{t('affiliateLink.text')}</p>
      <AffiliateSelect
        value={affiliate}
        error={refused && fieldText(refused)}
        onChange={(uuid) => {
          setAffiliate(uuid)
          // another affiliate may have other landings and domains
          setDraft({ ...draft, landing: '', domain: '' })
        }}
      />
      <LinkProblem error={built.error} />
      {link && (
        <div>
          {link.refused !== null && (
            <Alert color="var(--ohma-waiting)" role="alert" mb={10} title={t('affiliateLink.refused')}>
              {report(`code.${link.refused}`)}
            </Alert>
          )}
          {built.data && <CopyField label={t('affiliateLink.url')} text={built.data.url} />}
          <LinkFields draft={draft} onChange={setDraft} offered={link} errors={errors} />
        </div>
      )}
    </Stack>
  )
}
