import { Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { ledgerApi, type accountBalance } from '#contract/money/ledger.ts'
import { query } from '#web/api/query.ts'
import type { Whose } from '#web/features/money/ledger/whose.ts'
import { EntryList } from '#web/features/money/ledger/entry-list.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Money } from '#web/kit/show/money.tsx'

/** What somebody has on each account; the chosen one opens as its entries. */
export function AccountMoney({ of }: { of: Whose }) {
  const { t } = useTranslation('ledger')
  const theirs = useQuery({ ...query(ledgerApi.accounts, { body: of ?? { owner: 'affiliate', uuid: '' } }), enabled: of !== null })
  const own = useQuery({ ...query(ledgerApi.ownAccounts, {}), enabled: of === null })
  return (
    <QueryPage query={of === null ? own : theirs} failed={t('failed')}>
      {({ list }) =>
        list.length === 0 ? (
          <Panel title={t('balances')}>
            <p className="ohma-soft">{t('none')}</p>
          </Panel>
        ) : (
          <Accounts of={of} list={list} />
        )
      }
    </QueryPage>
  )
}

function Accounts({ of, list }: { of: Whose; list: readonly z.output<typeof accountBalance>[] }) {
  const { t } = useTranslation('ledger')
  const [search, setSearch] = useSearchParams()
  const asked = search.get('account') ?? ''
  const chosen = list.find(({ kind, currency }) => `${kind}.${currency}` === asked) ?? list[0]
  const currencies = [...new Set(list.map(({ currency }) => currency))]
  const show = (account: string) =>
    setSearch(
      (now) => {
        now.set('account', account)
        now.delete('page')
        return now
      },
      { replace: true },
    )
  return (
    <Stack>
      <PageColumns>
        {currencies.map((currency) => (
          <Panel key={currency} title={currencies.length === 1 ? t('balances') : `${t('balances')} · ${currency}`}>
            <Facts
              of={list
                .filter((one) => one.currency === currency)
                .map(({ kind, amount }) => [
                  t(`account.${kind}`),
                  <Anchor
                    key={kind}
                    component="button"
                    type="button"
                    aria-label={`${t(`account.${kind}`)}, ${currency}`}
                    aria-pressed={chosen?.kind === kind && chosen.currency === currency}
                    fw={chosen?.kind === kind && chosen.currency === currency ? 600 : undefined}
                    onClick={() => show(`${kind}.${currency}`)}
                  >
                    <Money amount={amount} currency={currency} />
                  </Anchor>,
                ])}
            />
          </Panel>
        ))}
      </PageColumns>
      {chosen && <EntryList key={`${chosen.kind} ${chosen.currency}`} of={of} account={chosen} />}
    </Stack>
  )
}
