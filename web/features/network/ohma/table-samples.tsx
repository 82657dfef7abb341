import { Flex } from '@mantine/core'
import { useState } from 'react'
import { integer } from '#web/format.ts'
import { Pager } from '#web/kit/list/pager.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import type { Column, SortBy } from '#web/kit/table/column.ts'
import { DataTable } from '#web/kit/table/data-table.tsx'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { TableSkeleton } from '#web/kit/table/table-skeleton.tsx'
import type { Selection } from '#web/kit/table/selection.ts'

type Sample = { id: number; name: string; clicks: number; payout: string }
const ROWS: Sample[] = Array.from({ length: 400 }, (_none, index) => ({
  id: 400 - index,
  name: index === 1 ? 'Найвідповідальніший рекламодавець із довгою назвою' : `Offer ${index + 1}`,
  clicks: index === 0 ? 123_456_789_012 : index * 731,
  payout: index === 0 ? '123456789012.5000' : `${index * 12}.2500`,
}))
const COLUMNS: Column<Sample>[] = [
  { id: 'id', header: 'ID', cell: (row) => row.id, sort: 'id', numeric: true },
  { id: 'name', header: 'Offer', cell: (row) => row.name, width: 150, card: 'title' },
  { id: 'status', header: 'Status', cell: () => <StatusBadge tone="good" label="Active" />, whole: true, card: 'field' },
  {
    id: 'clicks',
    header: 'Clicks',
    hint: 'Without refused ones, bots and tests.',
    cell: (row) => integer(row.clicks),
    numeric: true,
    card: 'field',
  },
  { id: 'payout', header: 'Payout', cell: (row) => <Money amount={row.payout} currency="USD" />, numeric: true, card: 'field' },
]

/** The table with 400 rows, its cards, its skeleton, and the pager. */
export function TableSamples() {
  const [sort, setSort] = useState<SortBy>({ column: 'id', direction: 'desc' })
  const [selection, select] = useState<Selection>(new Set(['399']))
  const [page, setPage] = useState(4)
  const rowKey = (row: Sample) => String(row.id)
  const rowActions = () => [{ id: 'Open', label: 'Open', onClick: () => {} }]
  return (
    <>
      <Flex h={330}>
        <DataTable
          name="sample"
          label="Sample offers"
          rows={ROWS}
          columns={COLUMNS}
          rowKey={rowKey}
          sort={sort}
          onSort={setSort}
          selection={selection}
          onSelect={select}
          rowActions={rowActions}
          totals={{ name: 'Total', clicks: integer(123_514_913_212), payout: <Money amount="123457746612.5000" currency="USD" /> }}
        />
      </Flex>
      <Pager rows={1284} page={page} count={50} onPage={setPage} onCount={() => {}} />
      <TableCards
        name="sample"
        label="Sample cards"
        rows={ROWS.slice(0, 2)}
        columns={COLUMNS}
        rowKey={rowKey}
        rowActions={rowActions}
        selection={selection}
        onSelect={select}
      />
      <TableSkeleton columns={COLUMNS} label="Loading" rows={3} selectable />
    </>
  )
}
