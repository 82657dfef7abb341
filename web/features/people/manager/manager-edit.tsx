import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { z } from 'zod'
import { managerApi, managerInput, type managerDetail } from '#contract/people/manager.ts'
import { valuesOf } from '#contract/shape.ts'
import { query } from '#web/api/query.ts'
import { ManagerForm } from '#web/features/people/manager/manager-form.tsx'
import { ManagerStatusBadge } from '#web/features/people/manager/manager-status.tsx'
import { useManagerActions } from '#web/features/people/manager/use-manager-actions.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { ContactLinks } from '#web/kit/show/contact-links.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { RowMenu } from '#web/kit/table/row-menu.tsx'
import { useGo } from '#web/shell/access.ts'
import { useSession } from '#web/shell/session.ts'

type ManagerDetail = z.output<typeof managerDetail>

/** One of the people of the network. */
export function ManagerEdit() {
  const { t } = useTranslation('manager')
  const { uuid = '' } = useParams()
  const go = useGo()
  const found = useQuery(query(managerApi.get, { params: { uuid } }))

  // links by number work; the address of the page carries the uuid
  const known = found.data?.uuid
  useEffect(() => {
    if (known !== undefined && known !== uuid) go('managerEdit', { uuid: known }, { replace: true })
  }, [known, uuid, go])

  return (
    <DetailPage query={found} failed={t('failed')}>
      {(manager) => (
        <>
          <Header manager={manager} />
          <Profile key={manager.uuid} manager={manager} />
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
        status={<ManagerStatusBadge status={manager.status} />}
        facts={[
          t(`role.${manager.role}`),
          t('looksAfter', { affiliates: manager.affiliates, advertisers: manager.advertisers }),
          <span key="login">
            {t('lastLogin')}: <Moment at={manager.last_login_at} />
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
    initial: valuesOf(managerInput, manager),
    toInput: (values) => ({
      params: { uuid: manager.uuid },
      body: values.role === 'manager' ? values : { ...values, team_lead_uuid: null },
    }),
    invalidate: [managerApi.list, managerApi.get],
    onSaved: () => {},
  })
  return (
    <PageForm of={form} label={manager.name} action={t('save')}>
      <ManagerForm of={form} teamLead={manager.team_lead} own={own} />
    </PageForm>
  )
}
