import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { statementApi } from '#contract/money/statement.ts'
import { call } from '#web/api/call.ts'
import { saveStatement, STATEMENT_KINDS, type StatementKind } from '#web/features/money/invoice/payout/save-statement.ts'
import { StatementSums } from '#web/features/money/invoice/payout/statement-sums.tsx'
import { monthName } from '#web/month-name.ts'
import { column, copied, moment, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'

type Statement = CallOutput<typeof statementApi.list>['list'][number]

const COLUMNS: Columns<Statement, 'request'> = [
  column<Statement, 'month'>('month', {
    width: 160,
    card: 'title',
    sort: true,
    cell: ({ month }) => monthName(month),
    csv: ({ month }) => month,
  }),
  figure('opening'),
  figure('earned'),
  figure('paid'),
  figure('closing'),
  moment('made_at', { hidden: true }),
  copied('sha256', { width: 420, hidden: true }),
]

/** A statement for each month that is over: to the byte as it was closed. */
export function OwnStatements() {
  const { t } = useTranslation('request')
  const list = useList(statementApi.list, {
    name: 'own-statement',
    columns: useColumns('request', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'month', direction: 'desc' },
    otherKeys: ['view'],
    filters: {},
  })
  const save = ({ uuid, month }: Statement, kind: StatementKind) =>
    saveStatement(month, kind, {
      pdf: () => call(statementApi.pdf, { params: { uuid } }),
      texts: () => call(statementApi.get, { params: { uuid } }),
    })
  return (
    <ListPage
      inner
      list={list}
      title={t('statements')}
      empty={{ title: t('statements.none'), text: t('statements.noneText') }}
      rowHref={undefined}
      rowActions={(row) =>
        STATEMENT_KINDS.map((kind) => ({
          id: kind,
          label: t('download', { kind: t(kind) }),
          icon: <IconDownload size={16} aria-hidden />,
          onClick: () => void save(row, kind),
        }))
      }
      exportName="statements"
    />
  )
}

function figure<Id extends 'opening' | 'earned' | 'paid' | 'closing'>(id: Id) {
  return column<Statement, Id, `statement.${Id}`>(id, {
    header: `statement.${id}`,
    numeric: true,
    card: 'field',
    cell: ({ sums }) => <StatementSums of={sums} figure={id} />,
    csv: ({ sums }) => sums.map((one) => `${one[id]} ${one.currency}`).join(', '),
  })
}
