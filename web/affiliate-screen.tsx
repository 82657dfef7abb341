import { useTranslation } from '#web/i18n/use-translation.ts'
import { AccountMoney } from '#web/account-money.tsx'
import { AccessList } from '#web/features/offers/offer/detail/access-list.tsx'
import { AffiliateDetail } from '#web/features/people/affiliate/affiliate-detail.tsx'
import { ApplicationTab } from '#web/features/people/application/application-tab.tsx'
import { History } from '#web/history.tsx'
import { PersonSecurity } from '#web/person-security.tsx'
import { AffiliatePostbacks } from '#web/features/traffic/postback/affiliate-postbacks.tsx'
import { DeliveryList } from '#web/features/traffic/postback/delivery-list.tsx'
import { useCan } from '#web/shell/access.ts'
import { WebhookTab } from '#web/webhook-tab.tsx'
import { TaxData } from '#web/tax-data.tsx'
import { AffiliateCaps } from '#web/affiliate-caps.tsx'
import { AffiliateTickets } from '#web/affiliate-tickets.tsx'

/** One affiliate with what several features know of it, which is why it stands outside of them. */
export function AffiliateScreen() {
  const { t } = useTranslation('postback')
  const { t: offer } = useTranslation('offer')
  const { t: application } = useTranslation('application')
  const { t: layout } = useTranslation('layout')
  const { t: screen } = useTranslation('screen')
  const { t: common } = useTranslation('common')
  const can = useCan()
  return (
    <AffiliateDetail
      more={({ uuid, id, status, name }) => [
        { id: 'application', label: application('tab'), content: <ApplicationTab affiliate={{ uuid, status }} /> },
        ...(can('offer.read')
          ? [
              {
                id: 'offers',
                label: offer('access.offers'),
                content: (
                  <AccessList
                    of={{ affiliate: uuid }}
                    mayWrite={can('offer.write')}
                    title={offer('access.offers')}
                    empty={offer('access.empty.affiliate')}
                    exportName={`affiliate-${id}-access`}
                  />
                ),
              },
              { id: 'caps', label: offer('caps'), content: <AffiliateCaps affiliate={uuid} id={id} /> },
            ]
          : []),
        {
          id: 'money',
          label: common('tab.money'),
          content: (
            <>
              <AccountMoney owner="affiliate" uuid={uuid} name={name} />
              {can('billing.read') && <TaxData affiliate={uuid} />}
            </>
          ),
        },
        { id: 'postbacks', label: t('tab.own'), content: <AffiliatePostbacks affiliate={uuid} /> },
        { id: 'webhooks', label: t('tab.webhooks'), content: <WebhookTab affiliate={uuid} /> },
        { id: 'deliveries', label: t('tab.deliveries'), content: <DeliveryList affiliate={uuid} /> },
        ...(can('ticket.manage')
          ? [{ id: 'tickets', label: screen('tickets'), content: <AffiliateTickets affiliate={{ uuid, id, name }} /> }]
          : []),
        ...(can('account.security')
          ? [{ id: 'security', label: layout('security.title'), content: <PersonSecurity uuid={uuid} name={name} staff={false} /> }]
          : []),
        { id: 'activity', label: common('tab.activity'), content: <History kind="affiliate" uuid={uuid} /> },
      ]}
    />
  )
}
