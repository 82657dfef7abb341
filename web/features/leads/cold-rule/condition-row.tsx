import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { COLD_FIELDS, COLD_STATUS_FIELDS, type ColdField, type ColdReferenceField } from '#contract/leads/cold-audience.ts'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { productApi } from '#contract/leads/product.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { managerApi } from '#contract/people/manager.ts'
import { useConstants } from '#web/api/constants.ts'
import { blankCondition, kindOf, operatorsOf, type RuleValues } from '#web/features/leads/cold-rule/rule-values.ts'
import { choiceWords, fieldWords } from '#web/features/leads/cold-rule/rule-words.ts'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { ReferencesField } from '#web/kit/fields/references-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { changeAt } from '#web/kit/fields/field.ts'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { OptionsEndpoint } from '#web/kit/list/filter.ts'
import { wordsOf } from '#web/kit/status/status-look.ts'
import classes from './audience.module.css'

type RowProps = { of: SaveForm<RuleValues>; group: number; at: number; onRemove: () => void }

/** One thing a rule asks of leads: what, how it is compared, and with what. */
export function ConditionRow({ of, group, at, onRemove }: RowProps) {
  const { t } = useTranslation('coldRule')
  const condition = of.values.audience.groups[group]?.conditions[at]
  if (condition === undefined) return null
  const path = `audience.groups.${group}.conditions.${at}` as const
  const words = wordsOf(t)
  return (
    <div className={classes.condition}>
      <div>
        <SelectField
          of={of}
          name={`${path}.field`}
          label={t('condition.field')}
          options={COLD_FIELDS.map((value) => ({ value, label: fieldWords(value, words) }))}
          onPick={(field) => changeAt(of, path, blankCondition(field as ColdField))} // one of the choices
        />
      </div>
      {/* a field may be more than one element: each has a place of its own in the row */}
      <div className={classes.below}>
        <SelectField
          of={of}
          name={`${path}.op`}
          label={t('condition.op')}
          options={operatorsOf(condition.field).map((value) => ({ value, label: t(`op.${value}`) }))}
        />
      </div>
      <div className={classes.below}>
        <Value of={of} path={path} field={condition.field} />
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        className={classes.remove}
        aria-label={t('condition.remove')}
        title={t('condition.remove')}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}

type ValueProps = { of: SaveForm<RuleValues>; path: `audience.groups.${number}.conditions.${number}`; field: ColdField }

function Value({ of, path, field }: ValueProps) {
  const { t } = useTranslation('coldRule')
  const label = t('condition.value')
  switch (kindOf(field)) {
    case 'day':
      return <DayField of={of} name={`${path}.day`} label={label} />
    case 'number':
      return <NumberField of={of} name={`${path}.value`} label={label} whole {...(field !== 'sends' && { unit: t('days') })} />
    case 'text':
      return <TextField of={of} name={`${path}.text`} label={label} />
    case 'reference':
      return (
        <ReferencesField
          of={of}
          name={`${path}.values`}
          label={label}
          endpoint={ENDPOINTS[field as ColdReferenceField] /* of its kind */}
        />
      )
    case 'choice':
      return <Choices of={of} path={path} field={field} label={label} />
  }
}

const ENDPOINTS: Readonly<Record<ColdReferenceField, OptionsEndpoint>> = {
  affiliate: affiliateApi.list,
  manager: managerApi.options,
  offer: offerApi.options,
  rejected_by_advertiser: advertiserApi.options,
  rejected_by_product: productApi.options,
  list: leadListApi.options,
}

function Choices({ of, path, field, label }: ValueProps & { label: string }) {
  const { t } = useTranslation('coldRule')
  const { lead_os: systems, lead_device: devices, languages } = useConstants()
  const countries = useCountryOptions()
  const name = `${path}.values` as const
  const words = wordsOf(t)
  if (field === 'goal') return <TagsField of={of} name={name} label={label} placeholder={t('condition.goal')} />
  const options =
    field === 'country'
      ? countries
      : field === 'os'
        ? systems
        : field === 'device'
          ? devices.map(({ value }) => ({ value, label: choiceWords(field, value, words) }))
          : field === 'language'
            ? languages
            : field in COLD_STATUS_FIELDS
              ? COLD_STATUS_FIELDS[field as keyof typeof COLD_STATUS_FIELDS].map((value) => ({
                  value,
                  label: choiceWords(field, value, words),
                }))
              : []
  return <MultiSelectField of={of} name={name} label={label} options={options} />
}
