import { useTranslation } from '#web/i18n/use-translation.ts'
import { AccountMoney } from '#web/account-money.tsx'
import { OfferList } from '#web/features/offers/offer/offer-list.tsx'
import { AdvertiserDetail } from '#web/features/people/advertiser/advertiser-detail.tsx'
import { AdvertiserAccount } from '#web/advertiser-account.tsx'
import { AdvertiserDialect } from '#web/advertiser-dialect.tsx'
import { AdvertiserProducts } from '#web/advertiser-products.tsx'
import { AdvertiserLinks } from '#web/advertiser-links.tsx'
import { History } from '#web/history.tsx'
import { useCan } from '#web/shell/access.ts'

/** One advertiser with its offers and its read-only links, which are other features': that is why it stands outside of them. */
export function AdvertiserScreen() {
  const { t } = useTranslation('offer')
  const { t: advertiser } = useTranslation('advertiser')
  const { t: common } = useTranslation('common')
  const can = useCan()
  const readsOffers = can('offer.read')
  const readsProducts = can('product.read')
  return (
    <AdvertiserDetail
      postback={(advertiser) => <AdvertiserDialect advertiser={advertiser} />}
      more={({ uuid, name, currency }) => [
        ...(readsOffers ? [{ id: 'offers', label: t('offers'), content: <OfferList of={{ advertiser: uuid }} /> }] : []),
        ...(readsProducts
          ? [{ id: 'products', label: advertiser('tab.products'), content: <AdvertiserProducts advertiser={{ uuid, name, currency }} /> }]
          : []),
        { id: 'link', label: advertiser('tab.link'), content: <AdvertiserLinks advertiser={uuid} /> },
        { id: 'billing', label: common('tab.billing'), content: <AdvertiserAccount uuid={uuid} name={name} /> },
        { id: 'money', label: common('tab.money'), content: <AccountMoney owner="advertiser" uuid={uuid} name={name} /> },
        { id: 'activity', label: common('tab.activity'), content: <History kind="advertiser" uuid={uuid} /> },
      ]}
    />
  )
}
