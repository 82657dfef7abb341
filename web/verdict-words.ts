import { useTranslation } from '#web/i18n/use-translation.ts'
import { offerCap } from '#contract/offers/offer-cap.ts'
import type { VerdictDetail } from '#contract/traffic/verdict.ts'
import { capAmount, capTitle } from '#web/cap-words.ts'
import { date, dateTime } from '#web/format.ts'
import { duration } from '#web/format-metric.ts'
import { useZone } from '#web/kit/show/zone.tsx'

/** What a check looked at, in words of the panel's language; '' where there is nothing to say. */
export function useVerdictWords(): (detail: VerdictDetail) => string {
  const { t } = useTranslation('verdict')
  const { t: report } = useTranslation('report')
  const zone = useZone()
  return (detail) => {
    if (detail === null) return ''
    const values = detail.values
    const at = (name: string) => dateTime(values[name], zone)
    const time = (name: string) => duration(Number(values[name] ?? 0))
    // devices have names, other codes stay as they are
    const code = (text: string) => report(`code.${text}` as 'code.desktop', { defaultValue: text })
    switch (detail.kind) {
      case 'dates': {
        const ends = [values['from'], values['to']].map((end) => (end ? date(end, zone) : '…'))
        return ends.every((end) => end === '…') ? t('always') : ends.join(' – ')
      }
      case 'include':
      case 'exclude': {
        const list = (values['list'] ?? '').split(', ').map(code).join(', ')
        return t(detail.kind, { value: values['value'] ? code(values['value']) : t('unknown'), list })
      }
      case 'cap_until':
      case 'hold':
        return t('until', { moment: at('until') })
      case 'cap': {
        const cap = offerCap.safeParse(values).data
        if (cap === undefined) return ''
        const currency = values['currency'] ?? ''
        const limit = capAmount(cap, cap.limit, currency)
        const used = values['used']
        const level = used ? `${capAmount(cap, used, currency)} / ${limit}` : t('capShare', { percent: values['percent'], limit })
        return t('cap', { cap: capTitle(cap), level })
      }
      case 'age':
        return values['limit'] ? t('age', { days: values['days'], limit: values['limit'] }) : t('ageOpen', { days: values['days'] })
      case 'delay':
        return values['to']
          ? t('delay', { time: time('seconds'), from: time('from'), to: time('to') })
          : t('delayOpen', { time: time('seconds'), from: time('from') })
      case 'rule':
        return t('rule', { id: values['id'], payout: termsOf(values, 'payout'), revenue: termsOf(values, 'revenue') })
      case 'name':
        return values['name'] ?? ''
      default:
        return t(detail.kind, { id: values['id'] })
    }
  }
}

/** "18 + 5 %": what is nothing stays away, and so do the zeros an amount ends with. */
function termsOf(values: Record<string, string>, side: 'payout' | 'revenue'): string {
  const plain = (text = '0') => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
  const [fixed, rate] = [plain(values[`${side}_fixed`]), plain(values[`${side}_percent`])]
  return [...(fixed === '0' && rate !== '0' ? [] : [fixed]), ...(rate === '0' ? [] : [`${rate} %`])].join(' + ')
}
