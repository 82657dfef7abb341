import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CAP_PERIODS, capMeasure, capScope, type OfferCap } from '#contract/offers/offer-cap.ts'
import { capTitle } from '#web/cap-words.ts'
import type { OfferValues } from '#web/features/offers/offer/form/offer-values.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { fieldId, focusField, type SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

/** The caps of an offer: a table edited in place. */
export function CapsEditor({ of }: { of: SaveForm<OfferValues> }) {
  const { t } = useTranslation('offer')
  const { t: word } = useTranslation('cap')
  const { caps, currency } = of.values
  of.labels.set('caps', t('caps'))
  return (
    <div className={classes.rows} data-wide>
      {caps.map((cap, index) => (
        <div key={index} role="group" aria-label={capTitle(cap)} className={classes.cap}>
          <NumberField
            of={of}
            name={`caps.${index}.limit`}
            label={t('cap.limit')}
            unit={cap.measure === 'payout' ? currency : undefined}
            whole={cap.measure === 'conversions'}
            required
          />
          <SelectField
            of={of}
            name={`caps.${index}.measure`}
            label={t('cap.measure')}
            options={capMeasure.options.map((value) => ({ value, label: word(`measure.${value}`) }))}
          />
          <SelectField
            of={of}
            name={`caps.${index}.period`}
            label={t('cap.period')}
            options={CAP_PERIODS.map((value) => ({ value, label: word(`period.${value}`) }))}
          />
          <SelectField
            of={of}
            name={`caps.${index}.scope`}
            label={t('cap.scope')}
            options={capScope.options.map((value) => ({ value, label: word(`scope.${value}`) }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t('cap.remove')}
            onClick={() => of.form.removeListItem('caps', index)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        id={fieldId(of.id, 'caps')}
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={caps.length >= 20}
        onClick={() => {
          of.form.insertListItem('caps', nextCap(caps))
          requestAnimationFrame(() => focusField(of.id, `caps.${caps.length}.limit`))
        }}
        style={{ alignSelf: 'start' }}
      >
        {t('cap.add')}
      </Button>
    </div>
  )
}

/** A cap of a kind there is none of yet, the usual ones first. */
function nextCap(caps: readonly OfferCap[]): OfferCap {
  const kinds = capMeasure.options.flatMap((measure) =>
    capScope.options.flatMap((scope) => (['day', 'week', 'month', 'total', 'hour'] as const).map((period) => ({ period, scope, measure }))),
  )
  const free = kinds.find(
    (kind) => !caps.some((cap) => cap.period === kind.period && cap.scope === kind.scope && cap.measure === kind.measure),
  )
  return { ...(free ?? { period: 'day', scope: 'offer', measure: 'conversions' }), limit: '' }
}
