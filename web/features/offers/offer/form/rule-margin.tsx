import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Currency } from '#contract/money/amount.ts'
import { money, percent, UNKNOWN } from '#web/format.ts'
import { isZero, marginOf, type RuleTerms } from '#web/features/offers/offer/rule-words.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

/** What is left for the network of one conversion; a loss is said in a word too. */
export function RuleMargin({ rule, currency, bare = false }: { rule: RuleTerms; currency: Currency; bare?: boolean }) {
  const { t } = useTranslation('offer')
  const margin = marginOf(rule)
  const parts =
    margin === undefined
      ? []
      : [
          ...(isZero(margin.percent) || !isZero(margin.fixed) ? [money(margin.fixed, currency, { exact: true })] : []),
          ...(isZero(margin.percent) ? [] : [percent(margin.percent)]),
        ]
  return (
    <div className={classes.margin} data-bare={bare || undefined} data-loss={margin?.negative || undefined}>
      {!bare && <span className={classes.marginLabel}>{t('rule.margin')}</span>}
      {margin?.negative && <IconAlertTriangle size={14} aria-label={t('rule.loss')} />}
      <span className="ohma-number">{parts.length === 0 ? UNKNOWN : parts.join(' + ')}</span>
    </div>
  )
}
