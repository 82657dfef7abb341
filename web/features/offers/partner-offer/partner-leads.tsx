import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { apiOfferApi, type PartnerLeads } from '#contract/leads/api-offer.ts'
import { query } from '#web/api/query.ts'
import { PartnerOfferDetail, type Detail } from '#web/features/offers/partner-offer/partner-offer-detail.tsx'
import { LeadForm } from '#web/lead-form.tsx'
import { money } from '#web/format.ts'
import { LeadDocs } from '#web/features/offers/partner-offer/lead-docs.tsx'
import { fieldWord } from '#web/features/offers/partner-offer/field-word.ts'
import { OpenHours } from '#web/features/offers/partner-offer/open-hours.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'

/** An API offer for an affiliate: what to send, and from where leads are taken just now. */
export function PartnerLeadOffer() {
  return <PartnerOfferDetail leads={(offer) => <Leads key={offer.uuid} offer={offer} />} />
}

function Leads({ offer }: { offer: Detail }) {
  const { t } = useTranslation('partnerPage')
  const found = useQuery({ ...query(apiOfferApi.partner, { params: { uuid: offer.uuid } }), refetchInterval: 60_000 })
  return (
    <QueryPage query={found} failed={t('failed')}>
      {(leads) => (
        <>
          <Panel title={t('send')} text={t('sendText')}>
            <Facts
              of={[
                [t('type'), t(`type.${leads.integration_type}`)],
                [t('required'), leads.required.map((name) => fieldWord(t, name)).join(', ')],
                [t('repeat'), leads.repeat_days === null ? t('never') : t('days', { count: leads.repeat_days })],
              ]}
            />
          </Panel>
          <OpenHours of={leads} />
          {leads.payouts.length > 0 && <Payouts of={leads} offer={offer} />}
          <LeadDocs of={leads} />
          {offer.access === 'approved' && <LeadForm offer={offer.uuid} />}
        </>
      )}
    </QueryPage>
  )
}

/** What differs by country from the terms of the goals. */
function Payouts({ of: { payouts }, offer }: { of: PartnerLeads; offer: Detail }) {
  const { t } = useTranslation('partnerPage')
  return (
    <Panel title={t('payouts')} text={t('payoutsText')}>
      <Table horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('goal')}</Table.Th>
            <Table.Th>{t('where')}</Table.Th>
            <Table.Th ta="right">{t('payout')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {payouts.map(({ goal, geos, least, most }) => (
            <Table.Tr key={`${goal} ${geos.join()}`}>
              <Table.Td>{offer.goals.find(({ code }) => code === goal)?.title ?? goal}</Table.Td>
              <Table.Td>{geos.length === 0 ? t('others') : geos.join(', ')}</Table.Td>
              <Table.Td ta="right" className="ohma-number">
                {least === most
                  ? money(least, offer.currency)
                  : t('range', { least: money(least, offer.currency), most: money(most, offer.currency) })}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}
