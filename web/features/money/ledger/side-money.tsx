import { useTranslation } from '#web/i18n/use-translation.ts'
import { accountType, type AccountKind } from '#contract/money/account.ts'
import { Money } from '#web/kit/show/money.tsx'

type SideMoneyProps = {
  amount: string
  currency: string
  /** The account, where it is one: a balance on the other side than its own is marked. */
  kind?: AccountKind
  /** The least it is shown with, as the figures above and below it. */
  decimals?: number
}

/** A balance of the books: how much, and in words on which side it stands. */
export function SideMoney({ amount, currency, kind, decimals }: SideMoneyProps) {
  const { t } = useTranslation('ledger')
  const side = sideOf(amount)
  const least = decimals === undefined ? {} : { decimals }
  if (side === undefined) return <Money amount="0" currency={currency} {...least} />
  const odd = kind !== undefined && accountType(kind).side !== side
  return (
    <span style={{ whiteSpace: 'nowrap' }} title={odd ? t('side.odd', { side: t(`side.${accountType(kind).side}`) }) : undefined}>
      <Money amount={amount.replace('-', '')} currency={currency} exact {...least} />{' '}
      <abbr title={t(`side.${side}Whole`)} style={{ textDecoration: 'none', color: odd ? 'var(--ohma-waiting)' : 'var(--ohma-soft)' }}>
        {t(`side.${side}`)}
      </abbr>
    </span>
  )
}

/** The side an amount of the books stands on, positive = debit; none for nothing. */
export function sideOf(amount: string): 'debit' | 'credit' | undefined {
  if (/^-?0(\.0*)?$/.test(amount)) return undefined
  return amount.startsWith('-') ? 'credit' : 'debit'
}
