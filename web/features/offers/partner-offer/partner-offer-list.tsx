import { Button } from '@mantine/core'
import { IconTarget } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { OFFER_TABS } from '#contract/offers/partner-offer.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { useConstants } from '#web/api/constants.ts'
import { PARTNER_OFFER_COLUMNS } from '#web/features/offers/partner-offer/partner-offer-columns.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { useColumns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { screenHref } from '#web/shell/access.ts'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'
import { YourManager } from '#web/your-manager.tsx'

/** Offers as an affiliate chooses them, by tab. */
export function PartnerOfferList({ tab }: { tab: (typeof OFFER_TABS)[number] }) {
  const { t } = useTranslation('partnerOffer')
  const { verticals } = useConstants()
  const countries = useCountryOptions()
  const list = useList(partnerOfferApi.list, {
    name: 'partner-offer',
    columns: useColumns('partnerOffer', PARTNER_OFFER_COLUMNS),
    rowKey: (offer) => offer.uuid,
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      vertical: choiceFilter(t('vertical'), verticals),
      geo: choiceFilter(t('geo'), countries),
    },
    fixed: { tab },
    live: true,
  })
  return (
    <>
      <PageHeader title={t('title')} />
      <ScreenTabs below="/offers" label={t('title')} />
      <ListPage
        list={list}
        title={t(`list.${tab}`)}
        inner
        empty={{
          icon: <IconTarget size={26} stroke={1.6} aria-hidden />,
          title: t(`empty.${tab}.title`),
          text: t(`empty.${tab}.text`),
          action: <NextStep tab={tab} />,
        }}
        rowHref={(offer) => screenHref(offer.type === 'api' ? 'partnerOfferApi' : 'partnerOffer', { uuid: offer.uuid })}
        rowActions={undefined}
        exportName={undefined}
      />
    </>
  )
}

/** Where an affiliate goes on from an empty tab. */
function NextStep({ tab }: { tab: (typeof OFFER_TABS)[number] }) {
  const { t } = useTranslation('partnerOffer')
  if (tab === 'all') return <YourManager inside />
  return (
    <Button component={Link} to={screenHref(tab === 'live' ? 'partnerOffersAvailable' : 'partnerOffersLive')} variant="default">
      {t(`empty.${tab}.next`)}
    </Button>
  )
}
