import { useTranslation } from 'react-i18next'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { LEAD_MACROS, SEND_MACROS, TRANSFORM_NAMES } from '#contract/leads/lead-macro.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import type { SpecValues } from './spec-values.ts'
import classes from './spec.module.css'

type Props = { credentials: IntegrationSpec['credentials']; steps: SpecValues['steps'] }

/** Every macro there is for these calls, to copy, and the names of what may stand behind a bar. */
export function MacroList({ credentials, steps }: Props) {
  const { t } = useTranslation('integration')
  const own = [
    ...credentials.map(({ key }) => `cred.${key}`),
    ...steps.flatMap(({ name, give }) => give.map((given) => `step.${name}.${given.name}`)),
  ]
  return (
    <details data-wide>
      <summary>{t('macros')}</summary>
      <p className="ohma-soft">{t('macrosText')}</p>
      <div className={classes.macros}>
        {[...own, ...LEAD_MACROS, ...SEND_MACROS].map((name) => (
          <CopyText key={name} text={`{{${name}}}`} />
        ))}
      </div>
      <p className="ohma-soft">
        {t('transforms')} {TRANSFORM_NAMES.join(', ')}
      </p>
    </details>
  )
}
