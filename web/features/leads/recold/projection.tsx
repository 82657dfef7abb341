import { useTranslation } from '#web/i18n/use-translation.ts'
import type { RecoldProjection } from '#contract/leads/recold-plan.ts'
import { integer, money } from '#web/format.ts'

/** What a distribution would bring and cost, in words: four of five times it is between these, and how little or much says so. */
export function Projection({ of }: { of: RecoldProjection }) {
  const { t } = useTranslation('recold')
  const basis = t('projection.basis', { count: of.leads, leads: integer(of.leads), cold: integer(of.cold), paid: integer(of.paid) })
  const range = ({ low, high }: { low: string; high: string }) =>
    low === high
      ? money(low, of.currency, { decimals: 0 })
      : t('projection.range', { low: money(low, of.currency, { decimals: 0 }), high: money(high, of.currency, { decimals: 0 }) })
  return (
    <div>
      {of.revenue === null ? (
        <p style={{ margin: 0 }}>{t('projection.none')}</p>
      ) : (
        <p style={{ margin: 0 }}>
          {t('projection.revenue', { range: range(of.revenue) })}{' '}
          {of.payout === null ? t('projection.payoutNone') : t('projection.payout', { range: range(of.payout) })}
        </p>
      )}
      <p className="ohma-soft" style={{ margin: '4px 0 0' }}>
        {basis} {of.leads > 0 && of.cold === 0 && t('projection.noCold')}
      </p>
    </div>
  )
}
