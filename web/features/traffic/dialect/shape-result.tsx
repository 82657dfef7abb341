import { Alert, Anchor, List, Paper, Skeleton, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { shapeApi } from '#contract/traffic/shape.ts'
import { integer, money } from '#web/format.ts'
import { useCan } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

type Rehearsed = CallOutput<typeof shapeApi.rehearse>

/** What would be booked, and what would stay refused with why; `minor`: the names whose amounts are read in cents. */
export function ShapeResult({ rehearsed, minor }: { rehearsed: UseQueryResult<Rehearsed>; minor: readonly string[] }) {
  const { t } = useTranslation('dialect')
  const { t: log } = useTranslation('postbackLog')
  const { t: conversion } = useTranslation('conversion')
  const mayEdit = useCan()('offer.write')
  if (rehearsed.isError) return <Alert color="var(--ohma-bad)">{t('result.failed')}</Alert>
  if (rehearsed.data === undefined) return <Skeleton height={92} />
  const { calls, looked, applied, sums, full, unauthorized, failed } = rehearsed.data
  const refused = failed.reduce((sum, one) => sum + one.calls, 0)
  return (
    <Paper component="section" withBorder p="12px 16px" role="status" aria-label={t('result')}>
      <Text fw={600}>{t('result.applied', { count: applied, number: integer(applied), of: integer(looked) })}</Text>
      <List size="sm" spacing={2} mt={4}>
        {applied > 0 && sums.length === 0 && <List.Item>{t('result.nothing')}</List.Item>}
        {sums.map(({ status, currency, conversions, payout, revenue }) => (
          <List.Item key={`${status} ${currency}`}>
            {t(status === 'declined' || status === 'trash' ? 'confirm.noMoney' : 'confirm.line', {
              number: integer(conversions),
              status: conversion(`status.${status}`),
              payout: money(payout, currency),
              revenue: money(revenue, currency),
            })}
          </List.Item>
        ))}
        {minor.length > 0 && <List.Item>{t('result.minor', { names: minor.join(', ') })}</List.Item>}
        {full.length > 0 && (
          <List.Item>
            {t('result.full')}
            <List size="sm" withPadding>
              {full.map(({ offer, conversions }) => (
                <List.Item key={offer.uuid}>
                  {t('result.fullOf', { count: conversions, number: integer(conversions) })}{' '}
                  {mayEdit ? (
                    <Anchor component={ScreenLink} to="offerEditDirect" params={{ uuid: offer.uuid }} fz="inherit">
                      {offer.name}
                    </Anchor>
                  ) : (
                    offer.name
                  )}
                </List.Item>
              ))}
            </List>
          </List.Item>
        )}
        {unauthorized > 0 && <List.Item>{t('result.unauthorized', { count: unauthorized, number: integer(unauthorized) })}</List.Item>}
        {refused > 0 && (
          <List.Item>
            {t('result.refused', { count: refused, number: integer(refused) })}
            <List size="sm" withPadding>
              {failed.map(({ reason, parameter, calls: count }) => {
                const text = log(`reason.${reason}` as 'reason.click_id_missing', { defaultValue: reason })
                return (
                  <List.Item key={`${reason} ${parameter}`}>
                    {integer(count)} × {parameter === '' ? text : log('reasonAt', { parameter, reason: text })}
                  </List.Item>
                )
              })}
            </List>
          </List.Item>
        )}
      </List>
      {calls > looked && (
        <Text fz={12} c="dimmed" mt={6}>
          {t('result.part', { looked: integer(looked), calls: integer(calls) })}
        </Text>
      )}
    </Paper>
  )
}
