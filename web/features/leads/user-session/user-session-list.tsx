import { IconUserQuestion } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { CALL_STATUSES } from '#contract/leads/call-status.ts'
import { LEAD_STATUSES } from '#contract/leads/lead.ts'
import { LEAD_ORIGINS, userSessionApi } from '#contract/leads/user-session.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { SessionPanel } from '#web/features/leads/user-session/session-panel.tsx'
import { sessionColumns } from '#web/features/leads/user-session/user-session-columns.tsx'
import { useColumns } from '#web/kit/list/columns.tsx'
import { choiceFilter, periodFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { useCan } from '#web/shell/access.ts'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'

/** /statistic/api/user-session: leads as they came, masked, and what became of each. */
export function UserSessionList() {
  const { t } = useTranslation('userSession')
  const can = useCan()
  const staff = can('report.money')
  const list = useList(userSessionApi.list, {
    name: 'user-session',
    columns: useColumns(
      'userSession',
      useMemo(() => sessionColumns(staff), [staff]),
    ),
    rowKey: ({ uuid }) => uuid,
    sort: { column: 'received_at', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      _period: periodFilter(t('received_at'), null),
      status: choiceFilter(
        t('status'),
        LEAD_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
      ),
      call_status: choiceFilter(
        t('call_status'),
        CALL_STATUSES.map((value) => ({ value, label: t(`call.${value}`) })),
      ),
      origin: choiceFilter(
        t('origin'),
        LEAD_ORIGINS.map((value) => ({ value, label: t(`origin.${value}`) })),
      ),
      offer_uuid: referenceFilter(t('offer'), offerApi.options),
      ...(can('affiliate.read') && { affiliate_uuid: referenceFilter(t('affiliate'), affiliateApi.list) }),
    },
    otherKeys: ['session'],
  })
  const { open, hrefOf, show, close } = usePanelAddress('session')
  return (
    <>
      <PageHeader title={t('section')} tabs={<ScreenTabs below="/statistic/api" label={t('section')} />} />
      <ListPage
        inner
        list={list}
        title={t('title')}
        empty={{
          icon: <IconUserQuestion size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t(staff ? 'empty.text' : 'empty.own'),
        }}
        rowHref={({ uuid }) => hrefOf(uuid)}
        rowActions={undefined}
        exportName="user-sessions"
      />
      {open !== null && <SessionPanel uuid={open} among={(list.rows ?? []).map(({ uuid }) => uuid)} onShow={show} onClose={close} />}
    </>
  )
}
