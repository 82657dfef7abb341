import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { IconAntenna } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallOutput } from '#contract/endpoint.ts'
import { dialectApi } from '#contract/traffic/dialect.ts'
import { query } from '#web/api/query.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

type Call = CallOutput<typeof dialectApi.calls>['list'][number]
const EVERY_MS = 2_000

/** Waits for the advertiser's next call and shows at once how it was read. */
export function CallTest({ advertiser }: { advertiser: string }) {
  const { t } = useTranslation('dialect')
  const [since, setSince] = useState<string>()
  const calls = useQuery({
    ...query(dialectApi.calls, { params: { uuid: advertiser }, query: { since: since ?? null } }, { quiet: true }),
    enabled: since !== undefined,
    refetchInterval: EVERY_MS,
  })
  const list = since === undefined ? [] : (calls.data?.list ?? [])
  return (
    <Panel
      title={t('test')}
      text={t('testText')}
      actions={
        since === undefined ? (
          <Button variant="default" leftSection={<IconAntenna size={16} aria-hidden />} onClick={() => setSince(new Date().toISOString())}>
            {t('test.start')}
          </Button>
        ) : (
          <Button variant="default" onClick={() => setSince(undefined)}>
            {t('test.stop')}
          </Button>
        )
      }
    >
      <div role="status">
        {since !== undefined && list.length === 0 && (
          <Group gap={10}>
            <Loader size="xs" aria-hidden />
            <Text fz={13}>{t(calls.isError ? 'test.away' : 'test.waiting')}</Text>
          </Group>
        )}
        <Stack gap={14}>
          {list.map((one) => (
            <CallSeen key={one.id} call={one} />
          ))}
        </Stack>
      </div>
    </Panel>
  )
}

function CallSeen({ call }: { call: Call }) {
  const { t } = useTranslation('dialect')
  const { t: log } = useTranslation('postbackLog')
  const isTaken = call.outcome !== 'refused' && call.outcome !== 'unmatched'
  const reason = call.reason === '' ? '' : log(`reason.${call.reason}` as 'reason.click_id_missing', { defaultValue: call.reason })
  return (
    <Stack gap={6}>
      <Group gap="4px 12px">
        <StatusBadge
          tone={call.outcome === 'waiting' ? 'waiting' : isTaken ? 'good' : 'bad'}
          label={log(`outcome.${call.outcome}` as 'outcome.created', { defaultValue: call.outcome })}
        />
        <Moment at={call.at} log />
        {call.conversion_uuid !== null && (
          <ScreenLink to="statisticConversionDetail" params={{ uuid: call.conversion_uuid }}>
            {t('test.conversion')}
          </ScreenLink>
        )}
      </Group>
      {reason !== '' && <Text fz={13}>{call.detail === '' ? reason : log('reasonOf', { reason, detail: call.detail })}</Text>}
      <RawText>{call.body === '' ? call.call : `${call.call}\n\n${call.body}`}</RawText>
      {call.outcome === 'refused' && (
        <Alert color="var(--ohma-waiting)" p="xs">
          {t('test.refused')}
        </Alert>
      )}
    </Stack>
  )
}
