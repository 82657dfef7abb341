import { SegmentedControl } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldRule, REGISTRATION_FIELDS, type RegistrationSettings } from '#contract/people/registration.ts'
import { changeAt } from '#web/kit/fields/field.ts'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import style from './settings.module.css'

/** Of each field whether it is asked, and has to be answered. */
export function FieldRules({ of }: { of: SaveForm<RegistrationSettings> }) {
  const { t } = useTranslation('registration')
  return (
    <ul className={style.rules} data-wide>
      {REGISTRATION_FIELDS.map((name) => (
        <li key={name}>
          <span id={`${of.id}-rule-${name}`}>{t(`field.${name}`)}</span>
          <SegmentedControl
            size="xs"
            aria-labelledby={`${of.id}-rule-${name}`}
            data={fieldRule.options.map((value) => ({ value, label: t(`settings.rule.${value}`) }))}
            value={of.values.fields[name]}
            onChange={(value) => changeAt(of, `fields.${name}`, value)}
          />
        </li>
      ))}
    </ul>
  )
}
