import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { blankManager, managerApi, managerInput, type managerDetail } from '#contract/people/manager.ts'
import { valuesOf } from '#contract/shape.ts'
import { useConstants } from '#web/api/constants.ts'
import { useManagerChoices } from '#web/features/people/manager/manager-list.tsx'
import { ContactFields } from '#web/kit/fields/contact-fields.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { CreatePage } from '#web/kit/form/create-page.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { useCan, useGo } from '#web/shell/access.ts'
import { usePasswordLink } from '#web/shell/use-password-link.tsx'
import { useSession } from '#web/shell/session.ts'

type Values = z.output<typeof managerInput>
type ManagerDetail = z.output<typeof managerDetail>

/** Makes a manager, then shows the one-time link that lets them in. */
export function ManagerCreate() {
  const { t } = useTranslation('manager')
  const go = useGo()
  const { partner_settings } = useConstants()
  const { show, dialog } = usePasswordLink(managerApi.passwordLink, ({ uuid }) => go('managerEdit', { uuid }, { replace: true }))
  const form = useSaveForm({
    endpoint: managerApi.create,
    initial: { ...blankManager, time_zone: partner_settings.time_zone },
    toInput: (values) => ({ body: values }),
    invalidate: [managerApi.list],
    savedText: t('created.toast'),
    onSaved: (made, { name }) => show({ ...made, name }),
  })
  return (
    <>
      <CreatePage of={form} title={t('new')} action={t('create')} onCancel={() => go('managers')}>
        <Fields of={form} />
      </CreatePage>
      {dialog}
    </>
  )
}

/** Everything that can be changed of a manager. */
export function ManagerEdit({ manager }: { manager: ManagerDetail }) {
  const { t } = useTranslation('manager')
  const own = useSession().uuid === manager.uuid
  const lockedEmail = !useCan()('account.password_link')
  const form = useSaveForm({
    endpoint: managerApi.update,
    record: manager,
    valuesOf: (stored) => valuesOf(managerInput, stored),
    toInput: ({ team_lead_uuid, ...values }, { version }) => ({
      params: { uuid: manager.uuid },
      body: { ...values, team_lead_uuid: values.role === 'manager' ? team_lead_uuid : null, version },
    }),
    invalidate: [managerApi.list, managerApi.get],
  })
  return (
    <PageForm of={form} label={manager.name} action={t('save')}>
      <Fields of={form} teamLead={manager.team_lead} own={own} lockedEmail={lockedEmail} />
    </PageForm>
  )
}

/** The fields of a manager, for creating and editing alike. A team lead's people always belong to the own team. */
function Fields({
  of,
  teamLead = null,
  own = false,
  lockedEmail = false,
}: {
  of: SaveForm<Values>
  teamLead?: ReferenceRow | null
  own?: boolean
  /** Links that sign in go to the address: who may not see one does not name another address. */
  lockedEmail?: boolean
}) {
  const { t } = useTranslation('manager')
  const { roles, types } = useManagerChoices()
  const choosesLead = useCan()('setting.general')
  return (
    <>
      <FormSection title={t('section.account')}>
        <TextField of={of} name="name" label={t('name')} required />
        <TextField
          of={of}
          name="email"
          label={t('email')}
          type="email"
          help={t(lockedEmail ? 'emailLocked' : 'emailHelp')}
          disabled={lockedEmail}
          required
        />
        <SelectField of={of} name="role" label={t('role')} options={roles} help={t(own ? 'ownRole' : 'roleHelp')} disabled={own} required />
        <SelectField of={of} name="type" label={t('type')} options={types} required />
        {choosesLead && of.values.role === 'manager' && (
          <ReferenceField
            of={of}
            name="team_lead_uuid"
            label={t('team_lead')}
            endpoint={managerApi.options}
            chosen={teamLead}
            help={t('teamLeadHelp')}
          />
        )}
        <ZoneField of={of} name="time_zone" label={t('time_zone')} required />
      </FormSection>
      <FormSection title={t('section.contact')} text={t('section.contactText')}>
        <ContactFields of={of} />
      </FormSection>
      <FormSection title={t('section.internal')}>
        <LongTextField of={of} name="notes" label={t('notes')} wide />
      </FormSection>
    </>
  )
}
