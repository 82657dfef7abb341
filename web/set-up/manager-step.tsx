import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateSettingApi } from '#contract/people/affiliate-setting.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { assignmentApi } from '#contract/people/assignment.ts'
import { blankManager, managerApi } from '#contract/people/manager.ts'
import { call } from '#web/api/call.ts'
import { useConstants } from '#web/api/constants.ts'
import { invalidate } from '#web/api/query.ts'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { usePasswordLink } from '#web/shell/use-password-link.tsx'
import { DoneNote } from './done-note.tsx'
import type { StepProps, There } from './steps.ts'
import { StepForm } from './step-form.tsx'

/** Whoever looks after affiliates, where that is not the admin. */
export function ManagerStep({ there, next, back }: StepProps) {
  const { t } = useTranslation('setUp')
  const { partner_settings } = useConstants()
  const client = useQueryClient()
  const { show, dialog } = usePasswordLink(managerApi.passwordLink, next)
  const form = useSaveForm({
    endpoint: managerApi.create,
    initial: { name: '', email: '', takes: true },
    toInput: ({ takes: _takes, ...values }) => ({ body: { ...blankManager, time_zone: partner_settings.time_zone, ...values } }),
    invalidate: [managerApi.list, dashboardApi.firstSteps],
    onSaved: async (made, { name, takes }) => {
      if (takes) await giveTo(made.uuid, there).catch(() => {}) // what went wrong has been said, and the settings say who it is
      await invalidate(client, [affiliateSettingApi.settings, dashboardApi.firstSteps, affiliateApi.list, advertiserApi.list])
      show({ ...made, name })
    },
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
            <SwitchField of={form} name="takes" label={t('manager.takes')} help={t('manager.takesHelp')} wide />
          </FormSection>
        </StepForm>
      )}
      {dialog}
    </>
  )
}

/** Makes somebody the manager of new affiliates, and of who is here already. */
async function giveTo(manager_uuid: string, { advertiser_uuid, affiliate_uuid }: There): Promise<void> {
  const { changed: _changed, ...settings } = await call(affiliateSettingApi.settings, {})
  await call(affiliateSettingApi.updateSettings, { body: { ...settings, manager: 'one', manager_uuid } })
  if (advertiser_uuid !== null) await call(assignmentApi.assign, { body: { kind: 'advertiser', uuids: [advertiser_uuid], manager_uuid } })
  if (affiliate_uuid !== null) await call(assignmentApi.assign, { body: { kind: 'affiliate', uuids: [affiliate_uuid], manager_uuid } })
}
