import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconLink, IconPlus, IconTag, IconUserPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { OFFER_STATUSES, offerPrivacy } from '#contract/offers/offer-fields.ts'
import { offerType } from '#contract/offers/offer-type.ts'
import { useConstants } from '#web/api/constants.ts'
import { OFFER_COLUMNS, OFFER_STATUS } from '#web/features/offers/offer/offer-columns.tsx'
import { OFFER_SCREENS } from '#web/features/offers/offer/offer-screens.ts'
import { useOfferStatus } from '#web/features/offers/offer/use-offer-status.ts'
import { useOfferActions } from '#web/features/offers/offer/use-offer-actions.tsx'
import { useWithFigures } from '#web/figure-columns.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { BulkMenu } from '#web/kit/list/bulk-menu.tsx'
import { useColumns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter, searchFilter, textsFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useViewport } from '#web/viewport.ts'

/** Beside a sidebar on a small screen the titles need the room. */
const FIGURES = { wide: ['conversions', 'cr', 'epc', 'total_revenue'], narrow: ['cr', 'epc', 'total_revenue'] } as const

type OfferListProps = { of?: { advertiser: string; manager?: never } | { manager: string; advertiser?: never } }

/** All offers as staff see them: find, judge, open, move; or as a tab those of one advertiser, or of whom one manager looks after. */
export function OfferList({ of }: OfferListProps) {
  const { t } = useTranslation('offer')
  const can = useCan()
  const countries = useCountryOptions()
  const { verticals } = useConstants()
  const setStatus = useOfferStatus()
  const actionsFor = useOfferActions()
  const mayWrite = can('offer.write')
  const whole = of === undefined
  const viewport = useViewport()
  const narrow = viewport === 'tablet' || viewport === 'laptop'
  const moves = useMemo(
    () => OFFER_STATUSES.filter((status) => status !== 'draft').map((value) => ({ value, label: t(`move.${value}`) })),
    [t],
  )

  const list = useList(offerApi.list, {
    name: of === undefined ? 'offer' : of.advertiser === undefined ? 'manager-offer' : 'advertiser-offer',
    columns: useWithFigures(useColumns('offer', OFFER_COLUMNS), 'payout', narrow ? FIGURES.narrow : FIGURES.wide),
    fixed: {
      figures: true,
      ...(of?.advertiser !== undefined && { advertiser_uuid: [of.advertiser] }),
      ...(of?.manager !== undefined && { manager_uuid: [of.manager] }),
    },
    rowKey: (offer) => offer.uuid,
    otherKeys: [],
    leftOut: { status: 'archived' },
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(t('status'), useStatusOptions(OFFER_STATUS)),
      type: choiceFilter(
        t('type'),
        offerType.options.map((value) => ({ value, label: t(`type.${value}`) })),
      ),
      privacy: choiceFilter(
        t('privacy'),
        offerPrivacy.options.map((value) => ({ value, label: t(`privacyShort.${value}`) })),
      ),
      ...(of?.advertiser === undefined && { advertiser_uuid: referenceFilter(t('advertiser'), advertiserApi.options) }),
      geo: choiceFilter(t('geo'), countries),
      vertical: choiceFilter(t('vertical'), verticals),
      tag: textsFilter(t('tags')),
    },
  })

  const add = mayWrite && whole && (
    <Menu position="bottom-end" shadow="md" width={240}>
      <Menu.Target>
        <Button leftSection={<IconPlus size={16} aria-hidden />} rightSection={<IconChevronDown size={14} aria-hidden />}>
          {t('add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={ScreenLink} to="offerCreateDirect" leftSection={<IconLink size={16} aria-hidden />}>
          {t('addDirect')}
        </Menu.Item>
        <Menu.Item component={ScreenLink} to="offerCreateApi" leftSection={<IconUserPlus size={16} aria-hidden />}>
          {t('addApi')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )

  return (
    <ListPage
      inner={!whole}
      list={list}
      title={t('offers')}
      actions={add}
      empty={{
        icon: <IconTag size={26} stroke={1.6} aria-hidden />,
        title: t('empty.title'),
        text: t('empty.text'),
        action: mayWrite && whole && (
          <Button component={ScreenLink} to="offerCreateDirect" leftSection={<IconPlus size={16} aria-hidden />}>
            {t('addDirect')}
          </Button>
        ),
      }}
      rowHref={(offer) => screenHref(OFFER_SCREENS[offer.type].detail, { uuid: offer.uuid })}
      rowActions={actionsFor}
      bulkActions={mayWrite && <BulkMenu list={list} label={t('setStatus')} options={moves} onChoose={setStatus} />}
      exportName="offers"
    />
  )
}
