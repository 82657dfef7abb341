import { Anchor, Skeleton, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { reportApi } from '#contract/traffic/report.ts'
import { refusalGroup } from '#contract/traffic/refusal.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { screenHref } from '#web/shell/access.ts'

/** How many clicks were refused lately, and why. */
export function RefusedClicks() {
  const { t } = useTranslation('setting')
  const { t: report } = useTranslation('report')
  const { t: dimension } = useTranslation('dimension')
  const { t: metric } = useTranslation('metric')
  const asked = { period: { preset: 'last_7_days' }, group: ['reason'], metrics: ['refused'], count: 50 } as const
  const found = useQuery(query(reportApi.run, { body: { ...asked, group: [...asked.group], metrics: [...asked.metrics] } }))
  // clicks that were not refused have no reason
  const rows = found.data?.list.filter(({ keys }) => keys[0]?.id !== '')
  const all = (
    <Anchor component={Link} to={`${screenHref('statisticDirectGeneral')}?period=last_7_days&group=reason&metrics=refused`}>
      {t('refused.link')}
    </Anchor>
  )
  return (
    <Panel title={t('refused.title')} actions={all}>
      <p className="ohma-soft">{t('refused.text')}</p>
      {rows === undefined && found.isError && (
        <ErrorState what={t('refused.failed')} error={found.error} onRetry={() => void found.refetch()} />
      )}
      {rows === undefined && !found.isError && <Skeleton height={160} />}
      {rows?.length === 0 && <p>{t('refused.none')}</p>}
      {rows !== undefined && rows.length > 0 && (
        <Table horizontalSpacing={0} verticalSpacing={5} tabularNums maw={760}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{dimension('reason')}</Table.Th>
              <Table.Th>{t('refused.group')}</Table.Th>
              <Table.Th ta="right">{metric('refused')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ keys: [key], values }) => (
              <Table.Tr key={key?.id}>
                <Table.Td>
                  <Anchor component={Link} to={`${screenHref('statisticDirectClicks')}?period=last_7_days&reason=${key?.id ?? ''}`} inherit>
                    {report(`code.${key?.id ?? ''}` as 'code.desktop', { defaultValue: key?.label ?? '' })}
                  </Anchor>
                </Table.Td>
                <Table.Td c="dimmed">{t(`trafficback.group.${refusalGroup(key?.id ?? '') ?? 'offer'}`)}</Table.Td>
                <Table.Td ta="right">{integer(Number(values.refused ?? 0))}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  )
}
