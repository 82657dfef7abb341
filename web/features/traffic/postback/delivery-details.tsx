import { Anchor, Drawer, Group, List, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { z } from 'zod'
import { affiliatePostbackApi } from '#contract/traffic/affiliate-postback.ts'
import { ownPostbackApi, type deliveryDetail } from '#contract/traffic/own-postback.ts'
import { call } from '#web/api/call.ts'
import { useLifeHref } from '#web/conversion-words.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { DeliveryStateBadge } from '#web/features/traffic/postback/delivery-state.tsx'
import { SentParts } from '#web/features/traffic/postback/sent-parts.tsx'
import { integer } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'

type DeliveryDetailsProps = { uuid: string; affiliate: string | undefined; onClose: () => void }

/** What was sent, whole, and every attempt with its answer: the affiliate's own, or for staff one of `affiliate`. */
export function DeliveryDetails({ uuid, affiliate, onClose }: DeliveryDetailsProps) {
  const { t } = useTranslation('postback')
  const found = useQuery({
    queryKey: [(affiliate === undefined ? ownPostbackApi : affiliatePostbackApi).delivery.path, affiliate, uuid],
    queryFn: ({ signal }) =>
      affiliate === undefined
        ? call(ownPostbackApi.delivery, { params: { uuid } }, { signal, quiet: true })
        : call(affiliatePostbackApi.delivery, { body: { affiliate_uuid: affiliate, delivery_uuid: uuid } }, { signal, quiet: true }),
  })
  return (
    <Drawer opened onClose={onClose} position="right" size={640} title={t('delivery.title')}>
      <QueryPage query={found} failed={t('delivery.failed')}>
        {(of) => (
          <Stack miw={0}>
            <Sent of={of} />
            <Attempts of={of} />
          </Stack>
        )}
      </QueryPage>
    </Drawer>
  )
}

function Sent({ of }: { of: z.output<typeof deliveryDetail> }) {
  const { t } = useTranslation('postback')
  const hrefOf = useLifeHref()
  const words = useDeliveryWords()
  return (
    <>
      <Group gap="4px 14px">
        <DeliveryStateBadge state={of.state} />
        {of.error !== '' && <span>{words(of.error)}</span>}
        {of.next_try_at !== null && (
          <span>
            {t('nextTry')} <Moment at={of.next_try_at} />
          </span>
        )}
      </Group>
      <p>
        <Anchor component={Link} to={hrefOf(of.conversion.uuid)}>
          {t('delivery.conversion', { id: of.conversion.id })}
        </Anchor>{' '}
        · {t(`conversion.${of.status}`)} · {of.offer.name}
      </p>
      <Panel title={t('url')}>
        <RawText>{`${of.method} ${of.url}`}</RawText>
      </Panel>
      <SentParts headers={of.headers} body={of.body} />
    </>
  )
}

function Attempts({ of: { attempts } }: { of: z.output<typeof deliveryDetail> }) {
  const { t } = useTranslation('postback')
  const words = useDeliveryWords()
  return (
    <Panel title={t('tries')}>
      {attempts.length === 0 && <p>{t('delivery.none')}</p>}
      <List type="ordered" spacing={10}>
        {attempts.map((attempt) => (
          <List.Item key={attempt.at}>
            <Group gap="4px 14px">
              <Moment at={attempt.at} log />
              {attempt.http_status !== null && <span>HTTP {attempt.http_status}</span>}
              <span>{t('delivery.took', { ms: integer(attempt.duration_ms) })}</span>
              {words(attempt.error)}
            </Group>
            {attempt.response !== '' && <RawText>{attempt.response}</RawText>}
          </List.Item>
        ))}
      </List>
    </Panel>
  )
}
