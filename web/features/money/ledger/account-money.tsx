import { Anchor, Stack, Title } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useSearchParams } from 'react-router'
import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import { ledgerApi, type accountBalance } from '#contract/money/ledger.ts'
import { query } from '#web/api/query.ts'
import { day, money } from '#web/format.ts'
import { AccountCard } from '#web/features/money/ledger/account-card.tsx'
import { BalanceTable } from '#web/features/money/ledger/balance-table.tsx'
import { EntryList } from '#web/features/money/ledger/entry-list.tsx'
import { figuresOf, unmovedOf, type Figure } from '#web/features/money/ledger/figures.ts'
import { HoldCalendar } from '#web/features/money/ledger/hold-calendar.tsx'
import type { Partner } from '#web/features/money/ledger/whose.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { useViewport } from '#web/viewport.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { todayIn } from '#web/zone-time.ts'
import classes from './ledger.module.css'

/** What somebody has in each currency, below it how its owner asks for it; the chosen figure opens as its entries. */
export function AccountMoney({ of, request }: { of: Partner | null; request?: ReactNode }) {
  return of === null ? <OwnMoney request={request} /> : <TheirMoney of={of} />
}

function TheirMoney({ of }: { of: Partner }) {
  const { t } = useTranslation('ledger')
  const found = useQuery(query(ledgerApi.accounts, { body: of }))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {({ list, paid }) =>
        list.length === 0 ? <Nothing text={t('none')} /> : <Accounts of={of} list={list} paid={paid} owner={of.owner} />
      }
    </QueryPage>
  )
}

function OwnMoney({ request }: { request: ReactNode }) {
  const { t } = useTranslation('ledger')
  const today = todayIn(useZone())
  const found = useQuery(query(ledgerApi.ownAccounts, {}))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {({ list, paid, next_day, due, period_to }) => (
        <Stack>
          {due.length > 0 && <DuePayments due={due} today={today} />}
          {due.length === 0 && next_day !== null && period_to !== null && paid.length > 0 && (
            <p className="ohma-soft">{t('next', { day: day(next_day), until: day(period_to) })}</p>
          )}
          {due.length === 0 && paid.length === 0 && (
            <p className="ohma-soft">{next_day === null ? t('none.request') : t('none.own', { day: day(next_day) })}</p>
          )}
          {list.length === 0 ? (
            <>
              <Nothing text={t('none')} />
              {request}
            </>
          ) : (
            <Accounts of={null} list={list} paid={paid} owner="affiliate" request={request} />
          )}
        </Stack>
      )}
    </QueryPage>
  )
}

type Due = CallOutput<typeof ledgerApi.ownAccounts>['due']

/** What is paid next: each invoice that is open, how much of it, and when; late where its day has passed. */
function DuePayments({ due, today }: { due: Due; today: string }) {
  const { t } = useTranslation('ledger')
  return (
    <ul className="ohma-soft" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {due.map(({ uuid, number, currency, open, sent, due_day }) => {
        const isSent = Number(open) === 0
        const words = { sum: money(isSent ? sent : open, currency), day: day(due_day) }
        return (
          <li key={uuid}>
            <Anchor component={Link} to={`?view=invoices&invoice=${uuid}`} fz="inherit">
              {number}
            </Anchor>
            {': '}
            {t(isSent ? 'next.sent' : due_day < today ? 'next.past' : 'next.due', words)}
          </li>
        )
      })}
    </ul>
  )
}

function Nothing({ text }: { text: string }) {
  const { t } = useTranslation('ledger')
  return (
    <Panel title={t('balances')}>
      <p className="ohma-soft">{text}</p>
    </Panel>
  )
}

type AccountsProps = {
  of: Partner | null
  list: readonly z.output<typeof accountBalance>[]
  paid: readonly { currency: string; amount: string }[]
  owner: 'affiliate' | 'advertiser'
  request?: ReactNode
}

function Accounts({ of, list, paid, owner, request }: AccountsProps) {
  const { t } = useTranslation('ledger')
  const phone = useViewport() === 'mobile'
  const [search, setSearch] = useSearchParams()
  const asked = search.get('account') ?? ''
  const currencies = [...new Set(list.map(({ currency }) => currency))]
  const cards = currencies.map((currency) => ({ currency, figures: figuresOf(list, { paid, currency, owner, own: of === null }, t) }))
  const all = cards.flatMap(({ currency, figures }) => figures.map((figure) => ({ currency, figure })))
  const idOf = ({ currency, figure }: { currency: string; figure: Figure }) => `${figure.id}.${currency}`
  const opens = all.filter(({ figure }) => figure.kinds.length > 0)
  const chosen =
    opens.find((one) => idOf(one) === asked) ??
    unmovedOf(asked, { owner, own: of === null }, t) ??
    opens.find(({ figure }) => figure.main) ??
    opens[0]
  const isOpen = (currency: string, figure: Figure) => chosen?.currency === currency && chosen.figure.id === figure.id
  const entries = useRef<HTMLDivElement>(null)
  const show = (id: string) => {
    setSearch(
      (now) => {
        now.set('account', id)
        now.delete('page')
        return now
      },
      { replace: true },
    )
    // the entries stand beneath all currencies: without this a click on a figure seems to do nothing
    requestAnimationFrame(() => entries.current?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <Stack>
      {of === null && !phone ? (
        <BalanceTable of={cards} isOpen={isOpen} onOpen={(currency, figure) => show(idOf({ currency, figure }))} />
      ) : (
        <div className={classes.cards}>
          {cards.map(({ currency, figures }) => (
            <AccountCard
              key={currency}
              currency={currency}
              figures={figures}
              isOpen={(figure) => isOpen(currency, figure)}
              onOpen={(figure) => show(idOf({ currency, figure }))}
            />
          ))}
        </div>
      )}
      {of === null && (
        <>
          {request}
          <HoldCalendar />
        </>
      )}
      {chosen && (
        <div ref={entries} style={{ scrollMargin: '72px 0 24px', minHeight: 320 }}>
          <Title order={2} fz={17} mb="xs">
            {t('entriesOf', { figure: chosen.figure.label, currency: chosen.currency })}
          </Title>
          <EntryList
            key={idOf(chosen)}
            of={of}
            account={{ kinds: chosen.figure.kinds, currency: chosen.currency, title: `${chosen.figure.label} · ${chosen.currency}` }}
          />
        </div>
      )}
    </Stack>
  )
}
