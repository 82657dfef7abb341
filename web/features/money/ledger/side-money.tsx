import { useTranslation } from '#web/i18n/use-translation.ts'
import { accountType, type AccountKind } from '#contract/money/account.ts'
import { isNothing } from '#contract/money/amount.ts'
import { Money } from '#web/kit/show/money.tsx'

type SideMoneyProps = {
  amount: string
  currency: string
  /** The account, where it is one: a balance on the other side than its own is marked. */
  kind?: AccountKind
}

/** A balance of the books: how much, and in words on which side it stands, in a place of its own, so that figures stand below each other. */
export function SideMoney({ amount, currency, kind }: SideMoneyProps) {
  const { t } = useTranslation('ledger')
  const side = sideOf(amount)
  const odd = side !== undefined && kind !== undefined && accountType(kind).side !== side
  const place = { display: 'inline-block', width: '1.4em', marginInlineStart: 4, textAlign: 'start' } as const
  return (
    <span style={{ whiteSpace: 'nowrap' }} title={odd ? t('side.odd', { side: t(`side.${accountType(kind).side}`) }) : undefined}>
      <Money amount={amount.replace('-', '')} currency={currency} column />
      {side === undefined ? (
        <span style={place} />
      ) : (
        <abbr
          title={t(`side.${side}Whole`)}
          style={{ ...place, textDecoration: 'none', color: odd ? 'var(--ohma-waiting)' : 'var(--ohma-soft)' }}
        >
          {t(`side.${side}`)}
        </abbr>
      )}
    </span>
  )
}

/** The side an amount of the books stands on, positive = debit; none for nothing. */
export function sideOf(amount: string): 'debit' | 'credit' | undefined {
  if (isNothing(amount)) return undefined
  return amount.startsWith('-') ? 'credit' : 'debit'
}
