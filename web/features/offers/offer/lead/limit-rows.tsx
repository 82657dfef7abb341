import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MEMBER_MEASURES } from '#contract/leads/api-offer.ts'
import { CAP_PERIODS } from '#contract/offers/offer-cap.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { focusField } from '#web/kit/form/use-save-form.ts'
import classes from './lead.module.css'
import { memberAt, type MemberProps } from './member-at.ts'

/** How many leads a product takes in each period. */
export function LimitRows({ of, path }: MemberProps) {
  const { t } = useTranslation('offer')
  const { t: word } = useTranslation('cap')
  const caps = memberAt(of, path)?.caps ?? []
  const list = `${path}.caps` as const
  const free = (['day', 'week', 'month', 'total', 'hour'] as const).find(
    (period) => !caps.some((cap) => cap.period === period && cap.measure === 'accepted'),
  )
  return (
    <div className={classes.rows} data-wide>
      <strong>{t('lead.limits')}</strong>
      <p className="ohma-soft">{t('lead.limitsText')}</p>
      {caps.map(({ measure }, index) => (
        <div key={index} role="group" aria-label={t('lead.limitRow', { number: index + 1 })} className={classes.limit}>
          <NumberField of={of} name={`${list}.${index}.limit`} label={t('lead.limit')} whole required />
          <SelectField
            of={of}
            name={`${list}.${index}.measure`}
            label={t('lead.measure')}
            options={MEMBER_MEASURES.map((value) => ({ value, label: t(`lead.measure.${value}`) }))}
          />
          {measure === 'goal' && (
            <SelectField
              of={of}
              name={`${list}.${index}.goal`}
              label={t('lead.measureGoal')}
              options={of.values.goals.map(({ code, title }) => ({ value: code, label: title || code }))}
              required
            />
          )}
          <SelectField
            of={of}
            name={`${list}.${index}.period`}
            label={t('cap.period')}
            options={CAP_PERIODS.map((value) => ({ value, label: word(`period.${value}`) }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t('cap.remove')}
            onClick={() => of.form.removeListItem(list, index)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-md"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={caps.length >= 20}
        onClick={() => {
          of.form.insertListItem(list, { period: free ?? 'day', measure: 'accepted', goal: '', limit: '' })
          requestAnimationFrame(() => focusField(of.id, `${list}.${caps.length}.limit`))
        }}
      >
        {t('lead.limitAdd')}
      </Button>
    </div>
  )
}
