import { Anchor, Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { managerApi, type managerDetail } from '#contract/people/manager.ts'
import { ManagerEdit } from '#web/features/people/manager/manager-form.tsx'
import { MANAGER_STATUS, useManagerActions } from '#web/features/people/manager/manager-list.tsx'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageActions } from '#web/kit/table/page-actions.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs, type UrlTab } from '#web/kit/page/url-tabs.tsx'
import { ContactLinks } from '#web/kit/show/contact-links.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { Performance } from '#web/performance/performance.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

type Manager = z.output<typeof managerDetail>

/** One of the people of the network: how the affiliates they look after are doing, and what can be changed; `more` are the tabs of other features. */
export function ManagerDetail({ more }: { more: (manager: Manager) => UrlTab[] }) {
  const { t } = useTranslation('manager')
  return (
    <DetailPage screen="managerEdit" endpoint={managerApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(manager) => (
        <>
          <Header manager={manager} />
          <UrlTabs
            label={manager.name}
            tabs={[
              {
                id: 'overview',
                label: t('tab.overview'),
                content: (
                  <Performance
                    of={{ is: 'manager', uuid: manager.uuid }}
                    next={
                      <Button component={ScreenLink} to="affiliates" search={`?manager_uuid=${manager.uuid}`} variant="default">
                        {t('toAffiliates')}
                      </Button>
                    }
                  />
                ),
              },
              { id: 'edit', label: t('edit'), content: <ManagerEdit manager={manager} /> },
              ...more(manager),
            ]}
          />
        </>
      )}
    </DetailPage>
  )
}

function Header({ manager }: { manager: Manager }) {
  const { t } = useTranslation('manager')
  const { actionsFor, dialog } = useManagerActions()
  const own = `?manager_uuid=${manager.uuid}`
  return (
    <>
      <PageHeader
        title={manager.name}
        id={manager.id}
        status={<Status of={MANAGER_STATUS} value={manager.status} />}
        facts={[
          t(`role.${manager.role}`),
          ...(manager.team_lead === null ? [] : [`${t('team_lead')}: ${manager.team_lead.name}`]),
          <Anchor component={ScreenLink} key="affiliates" fz="inherit" to="affiliates" search={own}>
            {t('affiliatesCount', { count: manager.affiliates })}
          </Anchor>,
          <Anchor component={ScreenLink} key="advertisers" fz="inherit" to="advertisers" search={own}>
            {t('advertisersCount', { count: manager.advertisers })}
          </Anchor>,
          <span key="login">
            {t('last_login_at')}: <Moment at={manager.last_login_at} />
          </span>,
          <ContactLinks key="contacts" contacts={{ ...manager.contacts, email: manager.email }} />,
        ]}
        actions={<PageActions primary={manager.status === 'active' ? undefined : 'unblock'} actions={actionsFor(manager)} />}
      />
      {dialog}
    </>
  )
}
