import { Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ProductHealth as Health } from '#contract/leads/product-health.ts'
import { callReasonWords } from '#web/call-reason.ts'
import { HealthBadge } from '#web/features/leads/product/health-badge.tsx'
import { healthQuery } from '#web/features/leads/product/health-query.ts'
import { integer, percent, UNKNOWN } from '#web/format.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Until } from '#web/kit/show/until.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'
import classes from './product.module.css'

const DAYS = ['1', '7', '30', '90']

/** How an advertiser's system did over some days: what it took and refused and why, how fast, how full its caps are, what it says of leads. */
export function ProductHealth({ uuid }: { uuid: string }) {
  const { t } = useTranslation('product')
  const [days, setDays] = useState('7')
  const found = useQuery(healthQuery(uuid, Number(days)))
  return (
    <Paper withBorder p={20} component="section" aria-label={t('health')}>
      <Stack gap={14}>
        <Group justify="space-between" gap="xs">
          <h3 className={classes.title}>{t('health')}</h3>
          <SegmentedControl
            size="xs"
            aria-label={t('health.days')}
            value={days}
            onChange={setDays}
            data={DAYS.map((value) => ({ value, label: t('health.lastDays', { count: Number(value) }) }))}
          />
        </Group>
        <QueryPage query={found} failed={t('health.failed')}>
          {({ list: [health] }) => (health === undefined ? <p className="ohma-soft">{t('health.none')}</p> : <Figures of={health} />)}
        </QueryPage>
      </Stack>
    </Paper>
  )
}

function Figures({ of }: { of: Health }) {
  const { t } = useTranslation('product')
  const facts: [string, ReactNode][] = [
    [t('health.state'), <HealthBadge key="state" of={of} />],
    ...(of.until === null ? [] : [[t('health.until'), <Until key="until" at={of.until} />] as [string, ReactNode]]),
    [t('health.sent'), integer(of.sent)],
    ...(of.unsendable === 0 ? [] : [[t('health.unsendable'), integer(of.unsendable)] as [string, ReactNode]]),
    [t('health.rate'), of.accept_rate === null ? UNKNOWN : percent(of.accept_rate)],
    [
      t('health.outcomes'),
      (['accepted', 'rejected', 'duplicate', 'no_capacity', 'error', 'ambiguous'] as const)
        .filter((name) => of[name] > 0)
        .map((name) => `${t(`health.of.${name}`)} ${integer(of[name])}`)
        .join(' · ') || UNKNOWN,
    ],
    [
      t('health.took'),
      of.p50 === null || of.p95 === null ? UNKNOWN : t('health.tookText', { half: integer(of.p50), most: integer(of.p95) }),
    ],
    [t('health.lastAccepted'), of.last_accepted_at === null ? UNKNOWN : <Moment key="accepted" at={of.last_accepted_at} />],
    [t('health.lastStatus'), of.last_status_at === null ? UNKNOWN : <Moment key="status" at={of.last_status_at} />],
    ...(of.pull_error === '' ? [] : [[t('health.pullError'), callReasonWords(of.pull_error, wordsOf(t))] as [string, ReactNode]]),
    ...(of.silent === 0 ? [] : [[t('health.silentTimes'), integer(of.silent)] as [string, ReactNode]]),
  ]
  return (
    <>
      {of.state !== 'ok' && <Text fz={14}>{t(`health.${of.state}Text`)}</Text>}
      <Facts of={facts} />
      {of.caps.length > 0 && (
        <Facts
          of={of.caps.map(
            ({ offer, period, measure, limit, used }) =>
              [
                [offer?.name ?? t('health.own'), ...(measure === 'sends' ? [t('limits.sends')] : []), t(`health.period.${period}`)].join(
                  ' · ',
                ),
                t('health.left', { left: integer(Math.max(limit - used, 0)), limit: integer(limit) }),
              ] as const,
          )}
        />
      )}
      {of.reasons.length > 0 && (
        <Stack gap={6}>
          <Text fz={13} fw={600}>
            {t('health.reasons')}
          </Text>
          {of.reasons.map(({ status, reason, count }) => (
            <Group key={`${status} ${reason}`} gap="4px 14px">
              <strong>{integer(count)}</strong>
              <span>{t(`health.of.${status}` as 'health.of.rejected')}</span>
              <span className="ohma-soft" style={{ overflowWrap: 'anywhere' }}>
                {callReasonWords(reason, wordsOf(t))}
              </span>
            </Group>
          ))}
        </Stack>
      )}
    </>
  )
}
