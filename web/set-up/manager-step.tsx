import { useTranslation } from 'react-i18next'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { blankManager, managerApi } from '#contract/people/manager.ts'
import { useConstants } from '#web/api/constants.ts'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { usePasswordLink } from '#web/shell/use-password-link.tsx'
import { DoneNote } from './done-note.tsx'
import type { StepProps } from './steps.ts'
import { StepForm } from './step-form.tsx'

/** Whoever looks after affiliates, where that is not the admin. */
export function ManagerStep({ there, next, back }: StepProps) {
  const { t } = useTranslation('setUp')
  const { partner_settings } = useConstants()
  const { show, dialog } = usePasswordLink(managerApi.passwordLink, next)
  const form = useSaveForm({
    endpoint: managerApi.create,
    initial: { name: '', email: '' },
    toInput: (values) => ({ body: { ...blankManager, time_zone: partner_settings.time_zone, ...values } }),
    invalidate: [managerApi.list, dashboardApi.firstSteps],
    onSaved: (made, { name }) => show({ ...made, name }),
  })
  return (
    <>
      {there.manager ? (
        <DoneNote text={t('manager.there')} next={next} back={back} />
      ) : (
        <StepForm of={form} label={t('step.manager')} action={t('manager.add')} ways={{ back, skip: next }}>
          <FormSection title={t('manager.who')} text={t('manager.whoText')}>
            <TextField of={form} name="name" label={t('name')} required />
            <TextField of={form} name="email" label={t('email')} type="email" required />
          </FormSection>
        </StepForm>
      )}
      {dialog}
    </>
  )
}
