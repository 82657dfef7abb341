import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { affiliateDashboard } from '#contract/network/dashboard.ts'
import { Money } from '#web/kit/show/money.tsx'
import classes from '#web/features/network/dashboard/dashboard.module.css'

/** What an affiliate has, by currency: what may be paid out, and what waits out its hold. */
export function BalanceCard({ balance }: { balance: z.output<typeof affiliateDashboard>['balance'] }) {
  const { t } = useTranslation('dashboard')
  return (
    <section className={classes.card} aria-label={t('balance')}>
      <h2 className={classes.heading}>{t('balance')}</h2>
      {balance.length === 0 ? (
        <p className={classes.none}>{t('balance.none')}</p>
      ) : (
        <ul className={classes.tasks}>
          {balance.map(({ currency, available, hold }) => (
            <li key={currency} className={classes.balance}>
              <span>
                <span className={classes.delta}>{t('balance.available')}</span>
                <span className={classes.value}>
                  <Money amount={available} currency={currency} />
                </span>
              </span>
              <span>
                <span className={classes.delta}>{t('balance.hold')}</span>
                <span className={classes.value}>
                  <Money amount={hold} currency={currency} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
