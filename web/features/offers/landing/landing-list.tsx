import { IconLayout } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { landingApi } from '#contract/offers/landing.ts'
import { landingType } from '#contract/offers/offer-landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { useConstants } from '#web/api/constants.ts'
import { LANDING_COLUMNS, LANDING_STATUS, useLandingActions } from '#web/features/offers/landing/landing-columns.tsx'
import { useColumns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter, searchFilter, textsFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { StatusMenu } from '#web/kit/status/status-menu.tsx'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { screenHref } from '#web/shell/access.ts'
import { AddButton } from '#web/shell/add-button.tsx'

/** Landings of all offers: what waits for a decision, what works, what stands where. */
export function LandingList() {
  const { t } = useTranslation('landing')
  const { languages } = useConstants()
  const { actionsFor, dialog } = useLandingActions()
  const list = useList(landingApi.list, {
    name: 'landing',
    columns: useColumns('landing', LANDING_COLUMNS),
    rowKey: (landing) => landing.uuid,
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(t('status'), useStatusOptions(LANDING_STATUS)),
      type: choiceFilter(
        t('type'),
        landingType.options.map((value) => ({ value, label: t(`type.${value}`) })),
      ),
      language: choiceFilter(t('language'), languages),
      tag: textsFilter(t('tags')),
      offer_uuid: referenceFilter(t('offer'), offerApi.options),
    },
  })
  const add = <AddButton to="landingCreate" label={t('add')} />
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={add}
        empty={{ icon: <IconLayout size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text'), action: add }}
        rowHref={({ uuid }) => screenHref('landingEdit', { uuid })}
        rowActions={actionsFor}
        bulkActions={<StatusMenu list={list} of={LANDING_STATUS} />}
        exportName="landings"
      />
      {dialog}
    </>
  )
}
