import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { managerApi, managerInput, type managerDetail } from '#contract/people/manager.ts'
import { valuesOf } from '#contract/shape.ts'
import { MANAGER_STATUS, useManagerActions } from '#web/features/people/manager/manager-columns.tsx'
import { ManagerForm } from '#web/features/people/manager/manager-form.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { ContactLinks } from '#web/kit/show/contact-links.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { RowMenu } from '#web/kit/table/row-menu.tsx'
import { useSession } from '#web/shell/session.ts'

type ManagerDetail = z.output<typeof managerDetail>

/** One of the people of the network. */
export function ManagerEdit() {
  const { t } = useTranslation('manager')
  return (
    <DetailPage screen="managerEdit" endpoint={managerApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(manager) => (
        <>
          <Header manager={manager} />
          <Profile manager={manager} />
        </>
      )}
    </DetailPage>
  )
}

function Header({ manager }: { manager: ManagerDetail }) {
  const { t } = useTranslation('manager')
  const { actionsFor, dialog } = useManagerActions()
  return (
    <>
      <PageHeader
        title={manager.name}
        id={manager.id}
        status={<Status of={MANAGER_STATUS} value={manager.status} />}
        facts={[
          t(`role.${manager.role}`),
          t('looksAfter', { affiliates: manager.affiliates, advertisers: manager.advertisers }),
          <span key="login">
            {t('last_login_at')}: <Moment at={manager.last_login_at} />
          </span>,
          <ContactLinks key="contacts" contacts={{ ...manager.contacts, email: manager.email }} />,
        ]}
        actions={<RowMenu size="md" actions={actionsFor(manager)} />}
      />
      {dialog}
    </>
  )
}

function Profile({ manager }: { manager: ManagerDetail }) {
  const { t } = useTranslation('manager')
  const own = useSession().uuid === manager.uuid
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
      <ManagerForm of={form} teamLead={manager.team_lead} own={own} />
    </PageForm>
  )
}
