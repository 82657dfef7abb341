import { Anchor, Pagination, Stack, Table } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { coldRuleApi, type ColdRuleRun } from '#contract/leads/cold-rule.ts'
import { query } from '#web/api/query.ts'
import { skippedOf, skippedWords } from '#web/features/leads/cold-rule/rule-words.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

const PAGE = 20

/** What a rule has done, the latest first. */
export function RunLog({ uuid }: { uuid: string }) {
  const { t } = useTranslation('coldRule')
  const [page, setPage] = useState(1)
  const found = useQuery({
    ...query(coldRuleApi.runs, { params: { uuid }, body: { page, count: PAGE } }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  return (
    <QueryPage query={found} failed={t('runs.failed')}>
      {({ list, summary: { rows } }) =>
        rows === 0 ? (
          <p className="ohma-soft">{t('runs.none')}</p>
        ) : (
          <Stack gap="md" miw={0}>
            <TableScroll label={t('runs')} minWidth={600}>
              <Table verticalSpacing={8}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('run.at')}</Table.Th>
                    <Table.Th>{t('run.begun')}</Table.Th>
                    <Table.Th ta="right">{t('matched')}</Table.Th>
                    <Table.Th ta="right">{t('queued')}</Table.Th>
                    <Table.Th>{t('skipped')}</Table.Th>
                    <Table.Th>{t('run.to')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((run) => (
                    <Run key={run.uuid} of={run} />
                  ))}
                </Table.Tbody>
              </Table>
            </TableScroll>
            {rows > PAGE && <Pagination total={Math.ceil(rows / PAGE)} value={page} onChange={setPage} size="sm" />}
          </Stack>
        )
      }
    </QueryPage>
  )
}

function Run({ of: run }: { of: ColdRuleRun }) {
  const { t } = useTranslation('coldRule')
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <Moment at={run.at} />
        <div className="ohma-soft">{t('version', { number: run.number })}</div>
      </Table.Td>
      <Table.Td>
        {t(`run.${run.kind}`)}
        {run.by !== '' && <div className="ohma-soft">{run.by}</div>}
      </Table.Td>
      {run.error === '' ? (
        <>
          <Table.Td ta="right">{integer(run.matched)}</Table.Td>
          <Table.Td ta="right">{integer(run.queued)}</Table.Td>
          <Table.Td>{skippedOf(run.skipped) === 0 ? UNKNOWN : skippedWords(run.skipped, wordsOf(t))}</Table.Td>
          <Table.Td>
            <RunTarget of={run} />
          </Table.Td>
        </>
      ) : (
        <Table.Td colSpan={4}>
          <StatusBadge tone="bad" label={t(`error.${run.error}`)} />
        </Table.Td>
      )}
    </Table.Tr>
  )
}

/** Where the people of a run went. */
function RunTarget({ of: { list, recold } }: { of: Pick<ColdRuleRun, 'list' | 'recold'> }) {
  if (recold !== null)
    return (
      <Anchor component={ScreenLink} fz="inherit" to="recold" params={{ uuid: recold.uuid }}>
        {recold.name}
      </Anchor>
    )
  if (list === null) return UNKNOWN
  return (
    <Anchor component={ScreenLink} fz="inherit" to="leadListSession" params={{ uuid: list.uuid }}>
      {list.name}
    </Anchor>
  )
}
