import { Group, Select, Stack, Title } from '@mantine/core'
import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { ACCOUNT_KINDS, accountType } from '#contract/money/account.ts'
import { ledgerApi, type trialRow } from '#contract/money/ledger.ts'
import { OpenAccount, openedBy } from '#web/features/money/ledger/open-account.tsx'
import { useConstants } from '#web/api/constants.ts'
import { money } from '#web/format.ts'
import { SideMoney, sideOf } from '#web/features/money/ledger/side-money.tsx'
import { StoredTrial } from '#web/features/money/ledger/stored-trial.tsx'
import { TrialSums } from '#web/features/money/ledger/trial-sums.tsx'
import { column, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Money } from '#web/kit/show/money.tsx'
import type { Words } from '#web/kit/status/status-look.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { lastMonths } from '#web/last-months.ts'
import { monthName } from '#web/month-name.ts'
import { screenHref } from '#web/shell/access.ts'
import { todayIn } from '#web/zone-time.ts'

type Row = z.output<typeof trialRow>
/** So many months can be chosen. */
const MONTHS = 36

const COLUMNS: Columns<Row, 'ledger'> = [
  column<Row, 'account'>('account', {
    width: 190,
    card: 'title',
    cell: (row, t) => t(`account.${row.kind}`),
    csv: (row) => row.kind,
  }),
  column<Row, 'owner'>('owner', {
    width: 170,
    card: 'field',
    cell: (row, t) => row.owner?.name ?? t('network'),
    csv: (row) => row.owner?.name,
  }),
  text('currency', { width: 80 }),
  held('opening'),
  side('opening', 'openingSide'),
  moved('debits'),
  moved('credits'),
  held('closing'),
  side('closing', 'closingSide'),
]

/** The trial balance of a month, or the entries of an account of it that belongs to no partner. */
export function TrialList() {
  const [params] = useSearchParams()
  const open = openedBy(params.get('account') ?? '')
  return open === null ? <Trial /> : <OpenAccount {...open} />
}

/** Every account that held or moved something in a month: what it held before, its debits and credits, and what it holds after. */
function Trial() {
  const { t } = useTranslation('ledger')
  const { currency } = useConstants()
  const months = lastMonths(todayIn(useZone()), MONTHS)
  const single = useRef<HTMLDivElement>(null)
  const list = useList(ledgerApi.trial, {
    name: 'trial',
    columns: useColumns('ledger', COLUMNS),
    rowKey: (row) => String(row.id),
    sort: { column: 'account', direction: 'asc' },
    otherKeys: ['view', 'account'],
    filters: {
      search: searchFilter(t('search')),
      month: choiceFilter(
        t('month'),
        months.map((value) => ({ value, label: monthName(value) })),
        false,
      ),
      kind: choiceFilter(
        t('account'),
        ACCOUNT_KINDS.map((value) => ({ value, label: t(`account.${value}`) })),
      ),
      currency: choiceFilter(t('currency', { ns: 'common' }), currency),
    },
  })
  const chosen = list.url.filters['month']?.[0] ?? months[0] ?? ''
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Title order={2} fz={17}>
          {t('trialOf', { month: monthName(chosen) })}
        </Title>
        <Select
          size="xs"
          w={180}
          aria-label={t('month')}
          allowDeselect={false}
          data={months.map((value) => ({ value, label: monthName(value) }))}
          value={chosen}
          onChange={(value) => list.go({ filters: { ...list.url.filters, month: value === null ? [] : [value] }, page: 1 })}
        />
      </Group>
      <StoredTrial month={chosen} />
      <TrialSums
        month={chosen}
        onChoose={(kind, code) => {
          list.go({ filters: { ...list.url.filters, kind: [kind], currency: [code] }, page: 1 })
          single.current?.scrollIntoView({ block: 'start' })
          // whoever goes on by keyboard goes on there
          single.current?.focus({ preventScroll: true })
        }}
      />
      <div ref={single} tabIndex={-1} style={{ scrollMarginTop: 72 }} role="group" aria-label={t('sums.accounts')}>
        <ListPage
          inner
          list={list}
          title={t('sums.accounts')}
          empty={{ title: t('trial.empty'), text: t('trial.emptyText') }}
          rowHref={(row) => hrefOf(row, list.url.filters['month']?.[0])}
          rowActions={undefined}
          exportName={`trial-balance-${chosen}`}
          totalsText={({ amounts }) =>
            (amounts as { currency: string; debits: string; credits: string; closing: string }[]) // the contract's totals
              .map(({ currency: of, debits, credits, closing }) => {
                const exact = (amount: string) => money(amount.replace('-', ''), of)
                const side = sideOf(closing)
                return t('trial.sums', {
                  debits: exact(debits),
                  credits: exact(credits),
                  closing: [exact(closing), side && t(`side.${side}`)].filter(Boolean).join(' '),
                })
              })
          }
        />
      </div>
    </Stack>
  )
}

/** Where the entries of an account are shown with the balance after each. */
function hrefOf({ kind, owner, currency }: Row, month: string | undefined): string | undefined {
  const isOurs = ['network', 'source'].includes(accountType(kind).owner)
  if (isOurs) {
    const account = [kind, currency, ...(owner === null ? [] : [owner.uuid])].join('.')
    return `${screenHref('billing')}?${new URLSearchParams({ view: 'ledger', ...(month && { month }), account })}`
  }
  if (owner === null) return undefined
  if (accountType(kind).owner === 'affiliate') return `${screenHref('affiliateEdit', { uuid: owner.uuid })}?tab=money`
  return `${screenHref('advertiserEdit', { uuid: owner.uuid })}?tab=billing`
}

/** How much an account holds; on which side says the column after it. */
function held<Id extends 'opening' | 'closing'>(id: Id) {
  return column<Row, Id>(id, {
    numeric: true,
    ...(id === 'closing' && { card: 'field' }),
    cell: (row) => <SideMoney amount={row[id]} currency={row.currency} kind={row.kind} />,
    csv: (row) => row[id].replace('-', ''),
  })
}

/** For spreadsheets: beside each balance the side it stands on. */
function side<Id extends 'openingSide' | 'closingSide'>(of: 'opening' | 'closing', id: Id) {
  const text = (row: Row, t: Words) => {
    const found = sideOf(row[of])
    return found === undefined ? '' : t(`side.${found}`)
  }
  return column<Row, Id>(id, { hidden: true, cell: text, csv: text })
}

function moved<Id extends 'debits' | 'credits'>(id: Id) {
  return column<Row, Id>(id, {
    numeric: true,
    card: 'field',
    cell: (row) => <Money amount={row[id]} currency={row.currency} column />,
    csv: (row) => row[id],
  })
}
