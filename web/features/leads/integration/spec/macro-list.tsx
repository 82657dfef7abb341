import { useTranslation } from '#web/i18n/use-translation.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { LEAD_MACROS, POLL_MACROS, SEND_MACROS, TRANSFORM_EXAMPLES } from '#contract/leads/lead-macro.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import type { SpecValues } from './spec-values.ts'
import classes from './spec.module.css'

type Props = { credentials: IntegrationSpec['credentials']; steps: SpecValues['steps']; pulls: boolean }

/** Every macro there is for these calls, to copy, and the names of what may stand behind a bar. */
export function MacroList({ credentials, steps, pulls }: Props) {
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
        {[
          ...own,
          ...LEAD_MACROS,
          'lead.fields.<name>',
          ...SEND_MACROS,
          ...(pulls ? POLL_MACROS : []),
          'request.body',
          'request.sorted',
        ].map((name) => (
          <CopyText key={name} text={`{{${name}}}`} />
        ))}
      </div>
      <p className="ohma-soft">{t('transforms')}</p>
      <div className={classes.macros}>
        {Object.values(TRANSFORM_EXAMPLES).map((example) => (
          <CopyText key={example} text={`| ${example}`} />
        ))}
      </div>
    </details>
  )
}
