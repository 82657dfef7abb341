import type { Say } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { ACCOUNTS, accountsOf, type AccountKind } from '#contract/money/account.ts'
import { addAmounts, currency as currencyCode, isNothing } from '#contract/money/amount.ts'
import type { accountBalance } from '#contract/money/ledger.ts'

/** A figure of somebody's money, and the accounts whose entries it is; without any it is no balance of the books. */
export type Figure = {
  id: string
  label: string
  amount: string
  kinds: readonly AccountKind[]
  main?: true
  part?: true
  /** Of our books: no part of what somebody has. */ ours?: true
}

type Balance = z.output<typeof accountBalance>
type Asked = {
  paid: readonly { currency: string; amount: string }[]
  currency: string
  owner: 'affiliate' | 'advertiser'
  /** Who looks is whose it is. */
  own: boolean
}

/** What is available is of these, each of which can be told too. */
const PARTS = ['affiliate_available', 'affiliate_correction', 'affiliate_bonus', 'affiliate_referral'] as const
/** Before and after it, in the order money takes. */
const BEFORE = ['affiliate_pending', 'affiliate_hold'] as const
const AFTER = ['affiliate_invoiced', 'affiliate_transit', 'affiliate_prepaid'] as const

/** The figures of one currency, in the order money takes: what waits, is available, is being paid, was paid, and for staff what it costs. */
export function figuresOf(list: readonly Balance[], { paid, currency, owner, own }: Asked, t: Say<'ledger'>): Figure[] {
  const of = (kind: AccountKind) => list.find((one) => one.kind === kind && one.currency === currency)?.amount ?? '0.0000'
  const one = (kind: AccountKind): Figure => ({ id: kind, label: t(`account.${kind}`), amount: of(kind), kinds: [kind] })
  const has = list.filter((row) => row.currency === currency)
  if (owner === 'advertiser') return has.map(({ kind }) => one(kind))
  const available = addAmounts(...PARTS.map(of))
  const owes = available.startsWith('-')
  const parts = PARTS.filter((kind) => !isNothing(of(kind)))
  return [
    ...BEFORE.map(one),
    {
      id: 'available',
      label: owes ? t(own ? 'youOwe' : 'owes') : t('available'),
      amount: owes ? available.slice(1) : available,
      kinds: PARTS,
      main: true,
    },
    // what it consists of, where that is more than one thing
    ...(parts.length > 1 || (parts[0] !== undefined && parts[0] !== 'affiliate_available')
      ? // the whole is called available already
        parts.map((kind) => ({ ...one(kind), ...(kind === 'affiliate_available' && { label: t('fromConversions') }), part: true as const }))
      : []),
    ...AFTER.filter((kind) => kind !== 'affiliate_prepaid' || !isNothing(of(kind))).map(one),
    { id: 'paid', label: t('paid'), amount: paid.find((row) => row.currency === currency)?.amount ?? '0.0000', kinds: [] },
    ...(own
      ? []
      : has
          .filter(({ kind }) => !('told' in ACCOUNTS[kind]))
          .map(({ kind }) => ({ ...one(kind), part: true as const, ours: true as const }))),
  ]
}

/** A figure of theirs that an address names as `<id>.<currency>` while nothing was booked there; undefined where they can have no such figure. */
export function unmovedOf(
  said: string,
  { owner, own }: Pick<Asked, 'owner' | 'own'>,
  t: Say<'ledger'>,
): { currency: string; figure: Figure } | undefined {
  const [id, code] = said.split('.')
  const { data: currency } = currencyCode.safeParse(code)
  if (currency === undefined) return undefined
  const kinds = accountsOf(owner, own ? 'affiliate' : 'staff')
  const figure = [
    ...figuresOf([], { paid: [], currency, owner, own }, t).filter((one) => one.kinds.length > 0),
    ...kinds.map((kind): Figure => ({ id: kind, label: t(`account.${kind}`), amount: '0.0000', kinds: [kind] })),
  ].find((one) => one.id === id)
  return figure && { currency, figure }
}
