import { Anchor, Table } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { referralApi } from '#contract/people/referral.ts'
import { query } from '#web/api/query.ts'
import { money } from '#web/format.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Pager } from '#web/kit/list/pager.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { screenHref } from '#web/shell/access.ts'
import { monthName } from '#web/month-name.ts'
import { REFERRAL_STATE } from './referral-words.ts'

const PAGE = 20
type Other = CallOutput<typeof referralApi.of>['list'][number]['who']

/** By whom an affiliate came, and whom it brought. */
export function ReferralsOf({ uuid }: { uuid: string }) {
  const { t } = useTranslation('referral')
  const [page, setPage] = useState(1)
  const asked = { params: { uuid }, body: { count: PAGE, page } }
  const found = useQuery({ ...query(referralApi.of, asked), placeholderData: keepPreviousData })
  if (found.data === undefined)
    return found.isError ? <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} /> : null
  const { brought_by: by, list, summary } = found.data
  return (
    <Panel title={t('page.title')}>
      <Facts
        of={[
          [
            t('page.by'),
            by === null ? (
              t('page.nobody')
            ) : (
              <>
                <Name who={by.who} /> {t('page.termsBy', { percent: Number(by.percent), until: monthName(by.until) })}{' '}
                {by.state !== 'clear' && <Status of={REFERRAL_STATE} value={by.state} />}
              </>
            ),
          ],
          ...(summary.rows === 0 ? [[t('page.brought'), t('page.none')] as const] : []),
        ]}
      />
      {summary.rows > 0 && (
        <TableScroll label={t('page.title')} minWidth={480}>
          <Table verticalSpacing={6} tabularNums>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('page.brought')}</Table.Th>
                <Table.Th>{t('state')}</Table.Th>
                <Table.Th ta="right">{t('earned')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.map(({ who, level, percent, until, state, earned }, place) => (
                <Table.Tr key={place}>
                  <Table.Td>
                    <Name who={who} />
                    <div className="ohma-soft">{t('page.terms', { percent: Number(percent), level, until: monthName(until) })}</div>
                  </Table.Td>
                  <Table.Td>
                    <Status of={REFERRAL_STATE} value={state} />
                  </Table.Td>
                  <Table.Td ta="right">{earned.map(({ amount, currency }) => money(amount, currency)).join(' · ') || '–'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
      {summary.rows > PAGE && <Pager page={page} count={PAGE} rows={summary.rows} onPage={setPage} />}
    </Panel>
  )
}

function Name({ who }: { who: Other }) {
  const { t } = useTranslation('referral')
  if (who === null) return <span className="ohma-soft">{t('page.hidden')}</span>
  return <Anchor href={screenHref('affiliateEdit', { uuid: who.uuid })}>{who.name}</Anchor>
}
