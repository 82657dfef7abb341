import { Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowRight, IconHistory, IconSend, IconTrash, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LEAD_VIAS, leadListApi, type LeadListDetail, type LeadListItem } from '#contract/leads/lead-list.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { SCREEN_IDS, screenOf, type ScreenId } from '#contract/screens.ts'
import { useSave } from '#web/api/query.ts'
import { ImportPeopleButton } from '#web/features/leads/lead-list/import/import-people-button.tsx'
import { ITEM_COLUMNS } from '#web/features/leads/lead-list/item-columns.tsx'
import { LEAD_LIST_STATUS } from '#web/features/leads/lead-list/lead-list-list.tsx'
import { SendsPanel } from '#web/features/leads/lead-list/sends-panel.tsx'
import { useListActions } from '#web/features/leads/lead-list/use-list-actions.tsx'
import { countryName, integer, UNKNOWN } from '#web/format.ts'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { useColumns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Figures } from '#web/kit/show/figure/figures.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { RowMenu } from '#web/kit/table/row-menu.tsx'
import { LeadContacts } from '#web/lead-contacts.tsx'
import { MovePeople } from '#web/move-people.tsx'
import { notify } from '#web/notify.ts'
import { useCan, useGo, useScreens } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'
import { useCurrentScreen } from '#web/shell/title.ts'
import { WayButton } from '#web/shell/way-button.tsx'

type Part = 'session' | 'conversion'

/** /cold-api/lead-list/details/:uuid with its tabs: who is in a list by their sessions and out of files, or by a conversion. */
export function LeadListItems() {
  const { t } = useTranslation('leadList')
  const part: Part = useCurrentScreen() === 'leadListConversion' ? 'conversion' : 'session'
  const screen: ScreenId = part === 'conversion' ? 'leadListConversion' : 'leadListSession'
  const can = useCan()
  const go = useGo()
  const { actionsFor, dialog } = useListActions(() => go('leadLists'))
  return (
    <DetailPage key={screen} screen={screen} endpoint={leadListApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(list) => (
        <>
          <PageHeader
            title={list.title}
            id={list.id}
            status={<StatusBadge tone={LEAD_LIST_STATUS.tones[list.status]} label={t(`status.${list.status}`)} />}
            facts={[list.owner?.name, list.description].filter(Boolean)}
            tabs={<ScreenTabs below="/cold-api/lead-list/details/:uuid" params={{ uuid: list.uuid }} label={t('details')} />}
            actions={
              <>
                <RowMenu size="md" actions={actionsFor(list)} />
                {can('cold.write') && list.status !== 'archived' && (
                  <>
                    <ImportPeopleButton list={list.uuid} />
                    <WayButton to="leadListAddSession" params={{ uuid: list.uuid }} label={t('add')} />
                    {list.sendable > 0 && <SendButton uuid={list.uuid} />}
                  </>
                )}
              </>
            }
          />
          <Tiles of={list} />
          <Items key={part} of={list} part={part} />
          {dialog}
        </>
      )}
    </DetailPage>
  )
}

/** Leads to a new distribution of the list, for who may open those. */
function SendButton({ uuid }: { uuid: string }) {
  const { t } = useTranslation('leadList')
  const open = useScreens()
  const recold = SCREEN_IDS.find((id) => screenOf(id).path === '/cold-api/re-cold-api')
  if (recold === undefined || !open.has(recold)) return null
  return (
    <Button component={ScreenLink} to={recold} search={`?list=${uuid}&create`} leftSection={<IconSend size={16} aria-hidden />}>
      {t('send')}
    </Button>
  )
}

function Tiles({ of }: { of: LeadListDetail }) {
  const { t } = useTranslation('leadList')
  const { session, conversion, file } = of.by_source
  return (
    <Panel title={t('figures')}>
      <Figures width={120}>
        <Figure name={t('total')} value={integer(of.total)} />
        <Figure name={t('sendable')} about={t('sendableHint')} value={integer(of.sendable)} />
        <Figure name={t('suppressed')} value={integer(of.suppressed)} />
        <Figure name={t('takenOutCount')} value={integer(of.removed)} />
        <Figure name={t('from_sessions')} value={integer(session)} />
        <Figure name={t('from_conversions')} value={integer(conversion)} />
        <Figure name={t('from_files')} value={integer(file)} />
      </Figures>
      <div className="ohma-soft">
        {t('byGeo')}:{' '}
        {of.geos
          .slice(0, 10)
          .map(({ country, items }) => `${countryName(country)} ${integer(items)}`)
          .join(' · ') || UNKNOWN}
      </div>
    </Panel>
  )
}

function Items({ of, part }: { of: LeadListDetail; part: Part }) {
  const { t } = useTranslation('leadList')
  const can = useCan()
  const { uuid } = of
  const [history, setHistory] = useState<LeadListItem>()
  const [moving, setMoving] = useState<readonly LeadListItem[]>()
  const list = useList(leadListApi.items, {
    path: { uuid },
    name: `lead-list-${part}`,
    columns: useColumns('leadList', ITEM_COLUMNS[part]),
    rowKey: ({ id }) => id,
    sort: { column: 'added_at', direction: 'desc' },
    fixed: { source: part === 'session' ? ['session', 'file'] : ['conversion'] },
    filters: {
      search: searchFilter(t('people.search')),
      shown: choiceFilter(
        t('shown'),
        (['removed', 'all'] as const).map((value) => ({ value, label: t(`shown.${value}`) })),
        false,
      ),
      via: choiceFilter(
        t('via'),
        LEAD_VIAS.map((value) => ({ value, label: t(`via.${value}`) })),
      ),
      country: choiceFilter(t('country'), useCountryOptions()),
      ...(can('affiliate.read') && { affiliate_uuid: referenceFilter(t('affiliate'), affiliateApi.list) }),
    },
    otherKeys: [],
  })
  const changed = [leadListApi.items, leadListApi.get, leadListApi.list]
  const takeOut = useSave(leadListApi.removeItems, {
    invalidate: changed,
    onSuccess: ({ changed: count }) => notify.success(t('takenOut', { count, number: integer(count) })),
  })
  const takeIn = useSave(leadListApi.restoreItems, {
    invalidate: changed,
    onSuccess: ({ changed: count }) => notify.success(t('takenIn', { count, number: integer(count) })),
  })
  const mark = (rows: readonly LeadListItem[], removed: boolean) => {
    const one = removed ? takeOut : takeIn
    one.mutate({ params: { uuid }, body: { item_ids: rows.map(({ id }) => id) } }, { onSuccess: () => list.select(new Set()) })
  }
  const mayChange = can('cold.write')
  const open = of.status !== 'archived'
  const icon = (Sign: typeof IconHistory) => <Sign size={16} aria-hidden />
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t('people')}
        empty={{
          icon: <IconUsers size={26} stroke={1.6} aria-hidden />,
          title: t('people.empty'),
          text: t('people.emptyText'),
          action: mayChange && open && (
            <WayButton to={part === 'session' ? 'leadListAddSession' : 'leadListAddConversion'} params={{ uuid }} label={t('add')} />
          ),
        }}
        rowHref={undefined}
        rowActions={(row) => [
          { id: 'history', label: t('history'), icon: icon(IconHistory), onClick: () => setHistory(row) },
          ...(!mayChange
            ? []
            : row.removed_at === null
              ? [
                  { id: 'move', label: t('move'), icon: icon(IconArrowRight), onClick: () => setMoving([row]) },
                  { id: 'takeOut', label: t('takeOut'), icon: icon(IconTrash), danger: true, onClick: () => mark([row], true) },
                ]
              : open
                ? [{ id: 'takeIn', label: t('takeIn'), icon: icon(IconArrowBackUp), onClick: () => mark([row], false) }]
                : []),
        ]}
        bulkActions={
          mayChange && (
            <>
              <Button size="compact-sm" variant="light" onClick={() => setMoving(list.chosen())}>
                {t('move')}
              </Button>
              {open && list.chosen().some(({ removed_at }) => removed_at !== null) && (
                <Button size="compact-sm" variant="light" onClick={() => mark(list.chosen(), false)}>
                  {t('takeIn')}
                </Button>
              )}
              {list.chosen().some(({ removed_at }) => removed_at === null) && (
                <Button size="compact-sm" variant="light" color="red" onClick={() => mark(list.chosen(), true)}>
                  {t('takeOut')}
                </Button>
              )}
            </>
          )
        }
        beside={
          can('lead.export') &&
          of.by_source.session + of.by_source.conversion > 0 && (
            <LeadContacts asked={{ lead_list_uuid: uuid }} rows={of.by_source.session + of.by_source.conversion} />
          )
        }
        exportName={`lead-list-${of.id}`}
      />
      {history !== undefined && <SendsPanel uuid={uuid} item={history} among={list.rows ?? []} onShow={setHistory} />}
      {moving !== undefined && (
        <MovePeople
          endpoint={leadListApi.moveItems}
          inputFor={(to_uuid) => ({ params: { uuid }, body: { to_uuid, item_ids: moving.map(({ id }) => id) } })}
          told={({ moved, there, left }) => t('moved', { moved: integer(moved), there: integer(there), left: integer(left) })}
          onClose={() => setMoving(undefined)}
          onMoved={() => {
            setMoving(undefined)
            list.select(new Set())
          }}
        />
      )}
    </>
  )
}
