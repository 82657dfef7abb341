import { useTranslation } from '#web/i18n/use-translation.ts'
import { MEMBER_MEASURES } from '#contract/leads/api-offer.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { LimitRows } from '#web/opening/limit-rows.tsx'
import type { MemberProps } from './member-at.ts'

/** How many leads a product takes in its place in each period. */
export function MemberLimits({ of, path }: MemberProps) {
  const { t } = useTranslation('offer')
  return (
    <LimitRows
      of={of}
      path={`${path}.caps`}
      words={{
        title: t('lead.limits'),
        text: t('lead.limitsText'),
        row: (number) => t('lead.limitRow', { number }),
        limit: t('lead.limit'),
        measure: t('lead.measure'),
        period: t('cap.period'),
        remove: t('cap.remove'),
        add: t('lead.limitAdd'),
      }}
      measures={MEMBER_MEASURES.map((value) => ({ value, label: t(`lead.measure.${value}`) }))}
      most={20}
      blank={{ goal: '' }}
    >
      {({ measure }, at) =>
        measure === 'goal' && (
          <SelectField
            of={of}
            name={`${path}.caps.${at}.goal`}
            label={t('lead.measureGoal')}
            options={of.values.goals.map(({ code, title }) => ({ value: code, label: title || code }))}
            required
          />
        )
      }
    </LimitRows>
  )
}
