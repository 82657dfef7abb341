import { Anchor, Button, Group, Pagination, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { payoutApi, type PayoutFileDetail, type PayoutRow } from '#contract/money/payout.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { money } from '#web/format.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useCan } from '#web/shell/access.ts'
import { PAYOUT_STATE } from './payout-words.ts'

const A_PAGE = 50

/** The payments of a file: whom, how much, by what reference, and what became of it. */
export function PayoutPayments({ file, onMark }: { file: PayoutFileDetail; onMark: (payout: PayoutRow) => void }) {
  const { t } = useTranslation('payout')
  const can = useCan()
  const { payment_systems } = useConstants()
  const nameOf = (system: string) => payment_systems.find(({ value }) => value === system)?.label ?? system
  const [page, setPage] = useState(1)
  const found = useQuery({
    ...query(payoutApi.payments, { body: { uuid: file.uuid, page, count: A_PAGE } }),
    placeholderData: keepPreviousData,
  })
  return (
    <QueryPage query={found} failed={t('failed')}>
      {({ list, summary }) => (
        <Stack gap={0} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('payments')}>
          {list.map((one) => (
            <li key={one.uuid} style={{ borderTop: '1px solid var(--ohma-line)', padding: '10px 0' }}>
              <Group justify="space-between" wrap="nowrap" align="start">
                <div style={{ minWidth: 0 }}>
                  <Text fw={600}>{one.affiliate.name}</Text>
                  <Text fz={12.5} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {[nameOf(one.system), one.masked, one.reference, one.external_id].filter(Boolean).join(' · ')}
                  </Text>
                  <Text fz={12.5}>
                    {one.invoices.map(({ uuid, number }, at) => (
                      <span key={uuid}>
                        {at > 0 && ', '}
                        <Anchor component={ScreenLink} fz="inherit" to="invoiceDetail" params={{ uuid }}>
                          {number}
                        </Anchor>
                      </span>
                    ))}
                  </Text>
                  {one.leaves_debt && <Text fz={12.5}>{t('owing.paid')}</Text>}
                  {one.reason !== '' && (
                    <Text fz={12.5}>
                      {one.reason === 'method_changed' || one.reason === 'owes'
                        ? t(`reason.${one.reason}`)
                        : one.reason === 'recalled'
                          ? t('reason.recalled')
                          : one.reason}
                    </Text>
                  )}
                </div>
                <Stack gap={4} align="end">
                  <Money amount={one.amount} currency={file.currency} />
                  {!/^0(\.0*)?$/.test(one.charged) && (
                    <Text fz={12} c="dimmed">
                      {t('charged', { sum: money(one.charged, file.currency) })}
                    </Text>
                  )}
                  <Status of={PAYOUT_STATE} value={one.state} />
                  {can('billing.pay') && (one.state === 'sent' || one.state === 'settled') && (
                    <Button size="compact-xs" variant="default" onClick={() => onMark(one)}>
                      {t('mark')}
                    </Button>
                  )}
                </Stack>
              </Group>
            </li>
          ))}
          {summary.rows > A_PAGE && <Pagination mt={10} value={page} onChange={setPage} total={Math.ceil(summary.rows / A_PAGE)} />}
        </Stack>
      )}
    </QueryPage>
  )
}
