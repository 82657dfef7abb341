import { Group, List, Modal, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { affiliatePostbackApi } from '#contract/traffic/affiliate-postback.ts'
import { ownPostbackApi, type delivery } from '#contract/traffic/postback.ts'
import { call } from '#web/api/call.ts'
import { integer } from '#web/format.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'

export type Delivery = z.output<typeof delivery>
type DeliveryDetailsProps = { of: Delivery; affiliate: string | undefined; onClose: () => void }

/** What was sent, and every attempt with its answer: the affiliate's own, or for staff one of `affiliate`. */
export function DeliveryDetails({ of, affiliate, onClose }: DeliveryDetailsProps) {
  const { t } = useTranslation('postback')
  const { uuid } = of
  const found = useQuery({
    queryKey: [affiliatePostbackApi.delivery.path, affiliate, uuid, of.tries],
    queryFn: ({ signal }) =>
      affiliate === undefined
        ? call(ownPostbackApi.delivery, { params: { uuid } }, { signal, quiet: true })
        : call(affiliatePostbackApi.delivery, { body: { affiliate_uuid: affiliate, delivery_uuid: uuid } }, { signal, quiet: true }),
  })
  return (
    <Modal opened onClose={onClose} title={t('delivery.title')} size={720} centered>
      <Stack gap={10}>
        <Group gap="4px 14px">
          <strong>{of.offer.name}</strong>
          <span>{t(`conversion.${of.status}`)}</span>
          <span>#{of.conversion.id}</span>
        </Group>
        <h3>{t('url')}</h3>
        <RawText>{`${of.method} ${of.url}`}</RawText>
        <h3>{t('tries')}</h3>
        {found.isError && <ErrorState what={t('delivery.failed')} error={found.error} onRetry={() => void found.refetch()} />}
        {found.isPending && <Skeleton height={60} />}
        {found.data?.attempts.length === 0 && <p>{t('delivery.none')}</p>}
        <List type="ordered" spacing={10}>
          {found.data?.attempts.map((attempt) => (
            <List.Item key={attempt.at}>
              <Group gap="4px 14px">
                <Moment at={attempt.at} />
                {attempt.http_status !== null && <span>HTTP {attempt.http_status}</span>}
                <span>{t('delivery.took', { ms: integer(attempt.duration_ms) })}</span>
                {attempt.error}
              </Group>
              {attempt.response !== '' && <RawText>{attempt.response}</RawText>}
            </List.Item>
          ))}
        </List>
      </Stack>
    </Modal>
  )
}
