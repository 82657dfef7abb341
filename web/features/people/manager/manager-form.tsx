import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { MANAGED_ROLES, MANAGER_TYPES, managerApi, type managerInput } from '#contract/people/manager.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { useCan } from '#web/shell/access.ts'
import { useSession } from '#web/shell/session.ts'

export type ManagerValues = z.output<typeof managerInput>

/** The fields of a manager, for creating and editing alike. A team lead's people always belong to the own team. */
export function ManagerForm({
  of,
  teamLead = null,
  own = false,
}: {
  of: SaveForm<ManagerValues>
  teamLead?: ReferenceRow | null
  own?: boolean
}) {
  const { t } = useTranslation('manager')
  const { role } = useSession()
  const choosesLead = useCan()('setting.general')
  const roles = role ? MANAGED_ROLES[role] : []
  return (
    <>
      <FormSection title={t('section.account')}>
        <TextField of={of} name="name" label={t('name')} required />
        <TextField of={of} name="email" label={t('email')} type="email" help={t('emailHelp')} required />
        <SelectField
          of={of}
          name="role"
          label={t('role')}
          options={roles.map((one) => ({ value: one, label: t(`role.${one}`) }))}
          help={t(own ? 'ownRole' : 'roleHelp')}
          disabled={own}
          required
        />
        <SelectField
          of={of}
          name="type"
          label={t('type')}
          options={MANAGER_TYPES.map((type) => ({ value: type, label: t(`type.${type}`) }))}
          required
        />
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
        <TextField of={of} name="contacts.telegram" label="Telegram" />
        <TextField of={of} name="contacts.skype" label="Skype" />
        <TextField of={of} name="contacts.linkedin" label="LinkedIn" wide />
      </FormSection>
      <FormSection title={t('section.internal')}>
        <LongTextField of={of} name="notes" label={t('notes')} wide />
      </FormSection>
    </>
  )
}
