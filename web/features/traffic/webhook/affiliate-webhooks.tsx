import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { affiliateWebhookApi } from '#contract/traffic/own-webhook.ts'
import { query } from '#web/api/query.ts'
import { WebhookLog } from '#web/features/traffic/webhook/webhook-log.tsx'
import { WebhookTable } from '#web/features/traffic/webhook/webhook-table.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'

/** An affiliate's webhooks as its staff see them; only the affiliate, or who acts as it, changes them. */
export function AffiliateWebhooks({ affiliate }: { affiliate: string }) {
  const { t } = useTranslation('webhook')
  const found = useQuery(query(affiliateWebhookApi.list, { params: { uuid: affiliate } }))
  return (
    <QueryPage query={found} failed={t('theirs.failed')}>
      {({ list }) => (
        <Stack miw={0}>
          {list.length > 0 && (
            <Text fz={13} c="dimmed">
              {t('theirs.readOnly')}
            </Text>
          )}
          <WebhookTable list={list} empty={{ title: t('theirs.empty'), text: t('theirs.emptyText') }} />
          {list.length > 0 && <WebhookLog webhooks={list} affiliate={affiliate} />}
        </Stack>
      )}
    </QueryPage>
  )
}
