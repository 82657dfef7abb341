import { Alert, Button, Group, Select, Table } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { commissionApi } from '#contract/money/commission.ts'
import { call } from '#web/api/call.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { download } from '#web/kit/list/export/run-export.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import type { Column } from '#web/kit/table/column.ts'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { lastMonths } from '#web/last-months.ts'
import { monthName } from '#web/month-name.ts'
import { useCan } from '#web/shell/access.ts'
import { useViewport } from '#web/viewport.ts'
import { todayIn } from '#web/zone-time.ts'
import { CommissionPanel } from './commission-panel.tsx'
import { CommissionTerms } from './commission-terms.tsx'
import { OwnTerms } from './own-terms.tsx'
import { savePdf } from './save-pdf.ts'

type Month = CallOutput<typeof commissionApi.list>
type Row = Month['list'][number]
/** So many months can be chosen. */
const MONTHS = 24

/** /billing?view=commission: what managers get of a month by the accounts they look after. */
export function CommissionList() {
  const { t } = useTranslation('commission')
  const can = useCan()
  const months = lastMonths(todayIn(useZone()), MONTHS)
  const [params, setParams] = useSearchParams()
  const asked = params.get('month') ?? ''
  const month = months.includes(asked) ? asked : (months[0] ?? '')
  const [terms, setTerms] = useState(false)
  const found = useQuery({ ...query(commissionApi.list, { body: { month } }), placeholderData: keepPreviousData })
  const saveCsv = async () => {
    const bytes = await call(commissionApi.csv, { body: { month } })
    download(`commission-${month}.csv`, [new Uint8Array(bytes)], 'text/csv;charset=utf-8')
  }
  const actions = (
    <Group gap="xs">
      <Select
        aria-label={t('month')}
        size="xs"
        w={170}
        allowDeselect={false}
        data={months.map((value) => ({ value, label: monthName(value) }))}
        value={month}
        onChange={(value) =>
          setParams((now) => {
            now.set('month', value ?? month)
            return now
          })
        }
      />
      <Button size="xs" variant="default" leftSection={<IconDownload size={15} aria-hidden />} onClick={() => void saveCsv()}>
        {t('csv')}
      </Button>
      {can('billing.approve') && (
        <Button size="xs" variant="default" onClick={() => setTerms(true)}>
          {t('terms')}
        </Button>
      )}
    </Group>
  )
  return (
    <Panel title={t('title')} text={t('text')} actions={actions}>
      <QueryPage query={found} failed={t('failed')}>
        {(data) => <Managers data={data} month={month} />}
      </QueryPage>
      {terms && <CommissionTerms onClose={() => setTerms(false)} />}
    </Panel>
  )
}

function Managers({ data, month }: { data: Month; month: string }) {
  const { t } = useTranslation('commission')
  const can = useCan()
  const { open, show, close } = usePanelAddress('manager')
  const [own, setOwn] = useState<Row>()
  return (
    <>
      <Alert color={data.frozen_at === null ? 'var(--ohma-waiting)' : 'var(--ohma-good)'} role="note">
        {data.frozen_at === null ? t(data.on ? 'notFrozen' : 'off') : <Frozen at={data.frozen_at} />}
      </Alert>
      {data.list.length === 0 ? (
        <EmptyState title={t('none')} text={t('noneText')} />
      ) : (
        <Rows list={data.list} onOpen={({ manager }) => show(manager.uuid)} {...(can('billing.approve') && { onTerms: setOwn })} />
      )}
      {open !== null && (
        <CommissionPanel month={month} manager={open} among={data.list.map(({ manager }) => manager.uuid)} onShow={show} onClose={close} />
      )}
      {own && <OwnTerms of={own} onClose={() => setOwn(undefined)} />}
    </>
  )
}

function Frozen({ at }: { at: string }) {
  const { t } = useTranslation('commission')
  return (
    <>
      {t('frozen')} <Moment at={at} />
    </>
  )
}

type RowsProps = { list: readonly Row[]; onOpen: (row: Row) => void; onTerms?: (row: Row) => void }

/** A table, or a card of each where amounts would lie outside. */
function Rows({ list, onOpen, onTerms }: RowsProps) {
  const { t } = useTranslation('commission')
  const columns: Column<Row>[] = [
    { id: 'manager', header: t('manager'), card: 'title', cell: (row) => <Manager of={row} onOpen={onOpen} /> },
    { id: 'share', header: t('share'), card: 'field', cell: (row) => <Share of={row} /> },
    {
      id: 'accounts',
      header: t('accounts'),
      card: 'field',
      numeric: true,
      cell: ({ sums }) => <Figures of={sums.map(({ currency, accounts }) => ({ currency, shown: integer(accounts) }))} />,
    },
    {
      id: 'base',
      header: t('base'),
      card: 'field',
      numeric: true,
      cell: ({ sums }) => (
        <Figures of={sums.map(({ currency, base }) => ({ currency, shown: <Money amount={base} currency={currency} /> }))} />
      ),
    },
    {
      id: 'commission',
      header: t('commission'),
      card: 'field',
      numeric: true,
      cell: ({ sums }) => (
        <Figures
          of={sums.map(({ currency, amount }) => ({
            currency,
            shown: (
              <b>
                <Money amount={amount} currency={currency} />
              </b>
            ),
          }))}
        />
      ),
    },
  ]
  const steps = (row: Row) => <Steps of={row} {...(onTerms && row.uuid === null && { onTerms })} />
  if (useViewport() === 'mobile')
    return (
      <TableCards
        name="commission"
        label={t('title')}
        rows={list}
        rowKey={({ manager }) => manager.uuid}
        columns={[...columns, { id: 'steps', header: '', card: 'foot', cell: steps }]}
      />
    )
  return (
    <TableScroll label={t('title')} minWidth={640}>
      <Table verticalSpacing={8} tabularNums>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ id, header, numeric }) => (
              <Table.Th key={id} {...(numeric && { ta: 'right' })}>
                {header}
              </Table.Th>
            ))}
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.map((row) => (
            <Table.Tr key={row.manager.uuid} data-row={row.manager.uuid}>
              {columns.map(({ id, cell, numeric }) => (
                <Table.Td key={id} {...(numeric && { ta: 'right' })}>
                  {cell(row)}
                </Table.Td>
              ))}
              <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                {steps(row)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}

function Manager({ of, onOpen }: { of: Row; onOpen: (row: Row) => void }) {
  const { t } = useTranslation('commission')
  return (
    <>
      <Button variant="transparent" p={0} h="auto" onClick={() => onOpen(of)}>
        {of.manager.name}
      </Button>
      {of.changes > 0 && <div className="ohma-soft">{t('changes', { count: of.changes })}</div>}
    </>
  )
}

function Share({ of: { basis, percent, own } }: { of: Row }) {
  const { t } = useTranslation('commission')
  return (
    <>
      {t(`share.${basis}`, { percent: Number(percent) })}
      {own && <div className="ohma-soft">{t('own')}</div>}
    </>
  )
}

/** What can be done about what one gets. */
function Steps({ of, onTerms }: { of: Row; onTerms?: (row: Row) => void }) {
  const { t } = useTranslation('commission')
  const { manager, uuid } = of
  return (
    <>
      {uuid !== null && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('pdfOf', { name: manager.name })}
          onClick={() => void savePdf(uuid, manager.name)}
        >
          PDF
        </Button>
      )}
      {onTerms && (
        <Button size="compact-sm" variant="subtle" aria-label={t('termsOf', { name: manager.name })} onClick={() => onTerms(of)}>
          {t('terms')}
        </Button>
      )}
    </>
  )
}

/** A figure for each currency, one below the other. */
function Figures({ of }: { of: readonly { currency: string; shown: ReactNode }[] }) {
  return (
    <>
      {of.map(({ currency, shown }) => (
        <div key={currency}>{shown}</div>
      ))}
    </>
  )
}
