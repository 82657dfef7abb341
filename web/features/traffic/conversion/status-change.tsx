import { Group } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Currency } from '#contract/money/amount.ts'
import { reasonOf } from '#web/conversion-words.ts'
import type { ConversionLife } from '#web/features/traffic/conversion/conversion-life.ts'
import { ConversionStatusBadge } from '#web/conversion-status.tsx'
import { money } from '#web/format.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Money } from '#web/kit/show/money.tsx'

type Change = ConversionLife['history'][number]
type StatusChangeProps = {
  change: Change
  /** The one before it of the same conversion. */
  before: Change | undefined
  currency: Currency
}

/** A link of the chain of statuses. */
export function StatusChange({ change, before, currency }: StatusChangeProps) {
  const { t } = useTranslation('conversion')
  const moved = before !== undefined && before.payout !== change.payout
  // what changed less than people write is told whole: it would read as no change
  const exact = moved && money(before.payout, currency) === money(change.payout, currency)
  return (
    <>
      <Group gap="4px 14px">
        {change.from !== null && (
          <>
            <ConversionStatusBadge status={change.from} />
            <IconArrowRight size={16} aria-label={t('becomes')} />
          </>
        )}
        <ConversionStatusBadge status={change.to} />
        <span>
          {t('payout')}{' '}
          {moved && (
            <>
              <Money amount={before.payout} currency={currency} exact={exact} /> →{' '}
            </>
          )}
          <Money amount={change.payout} currency={currency} exact={exact} />
        </span>
        <span>
          {t(`origin.${change.origin}`)}
          {change.actor !== null && ` · ${change.actor}`}
        </span>
      </Group>
      {change.reason !== '' && <p>{reasonOf(t, change.reason)}</p>}
      {change.chain_seq !== null && (
        <p className="ohma-soft">
          {t('entry', { seq: change.chain_seq })} <CopyText text={change.hash} shown={`${change.hash.slice(0, 12)}…`} />
        </p>
      )}
    </>
  )
}
