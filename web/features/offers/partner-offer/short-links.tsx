import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { query } from '#web/api/query.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Moment } from '#web/kit/show/moment.tsx'

/** The short links made for an offer, newest first. */
export function ShortLinks({ offer }: { offer: string }) {
  const { t } = useTranslation('partnerPage')
  const { data } = useQuery(query(partnerOfferApi.shortLinks, { body: { offer_uuid: [offer], count: 10 } }))
  if (data === undefined || data.list.length === 0) return null
  return (
    <Stack gap={4} mt="lg">
      <Text fw={600} size="sm">
        {t('link.short')}
      </Text>
      {data.list.map((link) => (
        <Text key={link.code} size="sm" component="div">
          <CopyText text={link.url} />{' '}
          <Text span c="dimmed" size="xs">
            {Object.entries(link.params)
              .map(([name, value]) => `${name}=${value}`)
              .join(' · ')}{' '}
            <Moment at={link.created_at} />
          </Text>
        </Text>
      ))}
    </Stack>
  )
}
