import { Button, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { query } from '#web/api/query.ts'
import { day, integer, money } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'

/** So many days are shown before somebody asks for all. */
const DAYS = 7

/** The days on which what is on hold is free. */
export function HoldCalendar() {
  const { t } = useTranslation('ledger')
  const [all, setAll] = useState(false)
  const { data } = useQuery(query(ledgerApi.releases, {}))
  const days = [...Map.groupBy(data?.list ?? [], (one) => one.day)]
  const [first] = days
  if (first === undefined) return null
  const conversionsOf = (rows: readonly { conversions: number }[]) => {
    const count = rows.reduce((sum, { conversions }) => sum + conversions, 0)
    return t('conversions', { count, number: integer(count) })
  }
  return (
    <Panel title={t('holds')} text={t('holds.text', { conversions: conversionsOf(data?.list ?? []), day: day(first[0]) })}>
      <Table verticalSpacing={6} horizontalSpacing={0} tabularNums>
        <Table.Tbody>
          {(all ? days : days.slice(0, DAYS)).map(([on, rows]) => (
            <Table.Tr key={on}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{day(on)}</Table.Td>
              <Table.Td>{rows.map((one) => money(one.amount, one.currency)).join(' · ')}</Table.Td>
              <Table.Td ta="right" c="dimmed">
                {conversionsOf(rows)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {!all && days.length > DAYS && (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => setAll(true)}>
            {t('holds.all', { number: integer(days.length) })}
          </Button>
        </div>
      )}
    </Panel>
  )
}
