import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CLICK_COLUMNS, VISITOR_FACTS } from '#contract/traffic/click-column.ts'
import { fieldName, isDetail } from '#web/click-fields.tsx'
import { UNKNOWN } from '#web/format.ts'
import { landingOf, nameOf } from '#web/features/traffic/conversion/conversion-columns.tsx'
import type { ConversionLife } from '#web/features/traffic/conversion/conversion-life.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'

/** Who, what and for how much. */
export function ConversionFacts({ life: { conversion: one, click } }: { life: ConversionLife }) {
  const { t } = useTranslation('conversion')
  const { t: dimension } = useTranslation('dimension')
  const { t: report } = useTranslation('report')
  const texts = { click: useTranslation('click').t, dimension, report }
  const device = one.device && report(`code.${one.device}` as 'code.desktop', { defaultValue: one.device }) // devices the file does not know stay as they are
  // what no name told is not worth a line
  const known = (connection: string) =>
    connection === 'unknown' || connection === '' ? '' : report(`code.${connection}` as 'code.hosting', { defaultValue: connection })
  const copied = (text: string | null) => (text ? <CopyText text={text} /> : UNKNOWN)
  const subs = one.subs.flatMap((sub, index) => (sub === '' ? [] : [`sub${index + 1}=${sub}`]))
  const staff = one.revenue !== undefined
  const facts: (readonly [string, ReactNode])[] = [
    [dimension('offer'), nameOf(one.offer)],
    ...(staff
      ? [[dimension('affiliate'), nameOf(one.affiliate)] as const, [dimension('advertiser'), nameOf(one.advertiser)] as const]
      : []),
    [t('payout'), <Money key="payout" amount={one.payout} currency={one.currency} />],
    ...(staff
      ? [
          [t('revenue'), <Money key="revenue" amount={one.revenue} currency={one.currency} />] as const,
          [t('amount'), <Money key="amount" amount={one.amount} currency={one.currency} />] as const,
        ]
      : []),
    [t('payment'), t(`payment.${one.payment_state}`)],
    [t('clickId'), copied(one.click_id)],
    [t('transactionId'), copied(one.transaction_id)],
    [fieldName(texts, 'aff_click_id'), copied(one.aff_click_id)],
    [dimension('prelanding'), landingOf(one.prelanding)],
    [dimension('landing'), landingOf(one.landing)],
    [dimension('geo'), <Country key="geo" code={one.geo} />],
    [t('visitor'), [device, one.os, one.browser, one.lang].filter(Boolean).join(' · ') || UNKNOWN],
    ...VISITOR_FACTS.flatMap((id) => {
      const shown = id === 'connection' ? known(one[id]) : one[id]
      return shown === ''
        ? []
        : [[fieldName(texts, id), isDetail(id) && CLICK_COLUMNS[id].holds === 'code' ? copied(shown) : shown] as const]
    }),
    [fieldName(texts, 'ip'), copied(one.ip)],
    [fieldName(texts, 'ua'), one.ua || click?.ua || UNKNOWN],
    [dimension('source'), one.source || UNKNOWN],
    [t('subs'), subs.join(', ') || UNKNOWN],
  ]
  return (
    <Panel title={t('facts')}>
      <Facts of={facts} />
    </Panel>
  )
}
