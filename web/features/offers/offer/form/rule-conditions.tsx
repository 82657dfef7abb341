import { Popover } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { landingNames, type OfferValues, type RuleValues } from '#web/features/offers/offer/form/offer-values.ts'
import { useDimensionOptions } from '#web/features/offers/offer/form/targeting-editor.tsx'
import { conditionWords } from '#web/features/offers/offer/rule-words.ts'
import { fieldText } from '#web/i18n/language.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { ReferencesField } from '#web/kit/fields/references-field.tsx'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

type RuleConditionsProps = { of: SaveForm<OfferValues>; path: string; row: string; rule: RuleValues }

const CONDITIONS = ['affiliate_uuids', 'landing_uuids', 'geos', 'devices', 'oses'] as const

/** Whom a payout row concerns: a button that says it, and the four lists behind it. */
export function RuleConditions({ of, path, row, rule }: RuleConditionsProps) {
  const { t } = useTranslation('offer')
  const errors = Object.entries(of.form.errors).filter(
    ([name]) => name === path || CONDITIONS.some((one) => name.startsWith(`${path}.${one}`)),
  )
  const error = errors[0]?.[1]
  const who = conditionWords(t, { ...rule, affiliates: rule.affiliate_uuids.map(({ id }) => id), landings: landingNames(of.values, rule) })
  of.labels.set(path, row)
  // the button stands for the lists behind it: they are drawn only while it is open
  for (const condition of CONDITIONS) of.labels.set(`${path}.${condition}`, `${row}, ${t(`rule.${condition}`)}`)
  return (
    <div className={classes.conditions}>
      <Popover width={340} position="bottom-start" shadow="md" trapFocus withinPortal returnFocus>
        <Popover.Target>
          <button
            type="button"
            id={fieldId(of.id, path)}
            className={classes.conditionButton}
            aria-haspopup="dialog"
            aria-label={t('rule.appliesTo', { who })}
            data-invalid={error !== undefined || undefined}
          >
            <span className="ohma-clip">{who}</span>
            <IconChevronDown size={15} aria-hidden />
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={row}>
          <Lists of={of} path={path} />
        </Popover.Dropdown>
      </Popover>
      {typeof error === 'string' && <p className={classes.error}>{fieldText(error)}</p>}
    </div>
  )
}

function Lists({ of, path }: { of: SaveForm<OfferValues>; path: string }) {
  const { t } = useTranslation('offer')
  const options = useDimensionOptions()
  const landings = of.values.landings.filter(({ type }) => type === 'landing')
  return (
    <div className={classes.lists}>
      <ReferencesField
        of={of}
        name={`${path}.affiliate_uuids`}
        label={t('rule.affiliate_uuids')}
        endpoint={affiliateApi.list}
        placeholder={t('rule.anyAffiliate')}
        inPopover
      />
      {landings.length > 0 && (
        <MultiSelectField
          of={of}
          name={`${path}.landing_uuids`}
          label={t('rule.landing_uuids')}
          options={landings.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          placeholder={t('rule.any')}
          inPopover
        />
      )}
      <MultiSelectField of={of} name={`${path}.geos`} label={t('rule.geos')} options={options.geo} placeholder={t('rule.any')} inPopover />
      <MultiSelectField
        of={of}
        name={`${path}.devices`}
        label={t('rule.devices')}
        options={options.device}
        placeholder={t('rule.any')}
        inPopover
      />
      <MultiSelectField of={of} name={`${path}.oses`} label={t('rule.oses')} options={options.os} placeholder={t('rule.any')} inPopover />
    </div>
  )
}
