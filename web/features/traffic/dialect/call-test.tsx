import { Alert, Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { IconAntenna } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { dialectApi } from '#contract/traffic/dialect.ts'
import { call } from '#web/api/call.ts'
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
  // the newest call there was: by its number, for clocks differ
  const [after, setAfter] = useState<string>()
  const start = async () => {
    const { list: before } = await call(dialectApi.calls, { params: { uuid: advertiser }, query: { since: null } })
    setAfter(before[0]?.id ?? '0')
  }
  const calls = useQuery({
    ...query(dialectApi.calls, { params: { uuid: advertiser }, query: { since: null } }, { quiet: true }),
    enabled: after !== undefined,
    refetchInterval: EVERY_MS,
  })
  const list = after === undefined ? [] : (calls.data?.list ?? []).filter(({ id }) => BigInt(id) > BigInt(after))
  return (
    <Panel
      title={t('test')}
      text={t('testText')}
      actions={
        after === undefined ? (
          <Button variant="default" leftSection={<IconAntenna size={16} aria-hidden />} onClick={() => void start().catch(() => {})}>
            {t('test.start')}
          </Button>
        ) : (
          <Button variant="default" onClick={() => setAfter(undefined)}>
            {t('test.stop')}
          </Button>
        )
      }
    >
      <div role="status">
        {after !== undefined && list.length === 0 && (
          <Group gap={10}>
            <Loader size="xs" aria-hidden />
            <Text fz={13}>{t(calls.isError ? 'test.away' : 'test.waiting')}</Text>
          </Group>
        )}
        <Stack gap={14}>
          {list.map((one) => (
            <CallSeen key={one.id} seen={one} />
          ))}
        </Stack>
      </div>
    </Panel>
  )
}

function CallSeen({ seen }: { seen: Call }) {
  const { t } = useTranslation('dialect')
  const { t: log } = useTranslation('postbackLog')
  const isTaken = seen.outcome !== 'refused' && seen.outcome !== 'unmatched'
  const reason = seen.reason === '' ? '' : log(`reason.${seen.reason}` as 'reason.click_id_missing', { defaultValue: seen.reason })
  return (
    <Stack gap={6}>
      <Group gap="4px 12px">
        <StatusBadge
          tone={seen.outcome === 'waiting' ? 'waiting' : isTaken ? 'good' : 'bad'}
          label={log(`outcome.${seen.outcome}` as 'outcome.created', { defaultValue: seen.outcome })}
        />
        <Moment at={seen.at} log />
        {seen.conversion_uuid !== null && (
          <Anchor component={ScreenLink} to="statisticConversionDetail" params={{ uuid: seen.conversion_uuid }} fz="inherit">
            {t('test.conversion')}
          </Anchor>
        )}
      </Group>
      {reason !== '' && <Text fz={13}>{seen.detail === '' ? reason : log('reasonOf', { reason, detail: seen.detail })}</Text>}
      <RawText>{seen.body === '' ? seen.call : `${seen.call}\n\n${seen.body}`}</RawText>
      {seen.outcome === 'refused' && (
        <Alert color="var(--ohma-waiting)" p="xs">
          {t('test.refused')}
        </Alert>
      )}
    </Stack>
  )
}
