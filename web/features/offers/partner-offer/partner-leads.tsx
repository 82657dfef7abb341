import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { apiOfferApi, type PartnerLeads } from '#contract/leads/api-offer.ts'
import { query } from '#web/api/query.ts'
import { saysMore } from '#web/features/offers/partner-offer/country-payout.ts'
import { fieldWord } from '#web/features/offers/partner-offer/field-word.ts'
import { LeadDocs } from '#web/features/offers/partner-offer/lead-docs.tsx'
import { OtherWays } from '#web/features/offers/partner-offer/other-ways.tsx'
import { LinkBuilder } from '#web/features/offers/partner-offer/link-builder.tsx'
import { HeadPayout } from '#web/features/offers/partner-offer/head-payout.tsx'
import { PartnerCountries } from '#web/features/offers/partner-offer/partner-countries.tsx'
import { PartnerLandings } from '#web/features/offers/partner-offer/partner-landings.tsx'
import { PartnerOfferHead } from '#web/features/offers/partner-offer/partner-offer-head.tsx'
import { PartnerOfferPage, type Detail } from '#web/features/offers/partner-offer/partner-offer-page.tsx'
import { Caps } from '#web/features/offers/partner-offer/offer-caps.tsx'
import { Conditions } from '#web/features/offers/partner-offer/offer-conditions.tsx'
import { NotLive } from '#web/features/offers/partner-offer/offer-not-live.tsx'
import { Terms } from '#web/features/offers/partner-offer/offer-terms.tsx'
import { RequestAccess } from '#web/features/offers/partner-offer/request-access.tsx'
import { TestLead } from '#web/features/offers/partner-offer/test-lead.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { LeadForm } from '#web/lead-form.tsx'
import { OfferChanges } from '#web/offer-changes.tsx'
import { useCan } from '#web/shell/access.ts'

/** An API offer for an affiliate: what it pays and from where it takes leads, and each way to send them. */
export function PartnerLeadOffer() {
  return <PartnerOfferPage type="api">{(offer) => <LeadOffer key={offer.uuid} offer={offer} />}</PartnerOfferPage>
}

function LeadOffer({ offer }: { offer: Detail }) {
  const { t } = useTranslation('partnerPage')
  const maySend = useCan()('lead.own') && offer.access === 'approved'
  const found = useQuery({ ...query(apiOfferApi.partner, { params: { uuid: offer.uuid } }), refetchInterval: 60_000 })
  const withLeads = (show: (leads: PartnerLeads) => ReactNode) => (
    <QueryPage query={found} failed={t('failed')}>
      {show}
    </QueryPage>
  )
  const hasLandings = offer.landings.length > 0
  return (
    <>
      <PartnerOfferHead
        offer={offer}
        payout={found.data && <HeadPayout of={found.data} offer={offer} />}
        actions={maySend && offer.state === 'live' && <TestLead sample={found.data?.sample} />}
      />
      <NotLive offer={offer} />
      <UrlTabs
        label={offer.title}
        tabs={[
          { id: 'overview', label: t('tab.overview'), content: <Overview offer={offer} leads={withLeads} /> },
          { id: 'api', label: t('tab.api'), content: withLeads((leads) => <LeadDocs of={leads} />) },
          ...(offer.access === 'approved' || hasLandings
            ? [{ id: 'form', label: t(hasLandings ? 'tab.linkAndForm' : 'tab.form'), content: <Landing offer={offer} /> }]
            : []),
          { id: 'systems', label: t('tab.systems'), content: <OtherWays offer={offer.id} /> },
        ]}
      />
    </>
  )
}

type OverviewProps = { offer: Detail; leads: (show: (leads: PartnerLeads) => ReactNode) => ReactNode }

function Overview({ offer, leads: withLeads }: OverviewProps) {
  return (
    <>
      {offer.access !== 'approved' && <RequestAccess offer={offer} />}
      {withLeads((leads) => (
        <>
          <PartnerCountries of={leads} offer={offer} />
          <ToSend of={leads} />
          {(leads.countries.length === 0 || offer.goals.some((goal) => saysMore(leads, goal))) && <Terms offer={offer} />}
        </>
      ))}
      <OfferChanges offer={offer.uuid} />
      <Caps offer={offer} />
      <Conditions offer={offer} />
    </>
  )
}

function ToSend({ of }: { of: PartnerLeads }) {
  const { t } = useTranslation('partnerPage')
  const { repeat_days: days } = of
  return (
    <Panel title={t('send')} text={t('sendText')}>
      <Facts
        of={[
          [t('type'), t(`type.${of.integration_type}`)],
          [t('required'), of.required.map((name) => fieldWord(t, name)).join(', ')],
          [t('repeat'), days === null ? t('never') : days === 0 ? t('eachTime') : t('days', { count: days })],
        ]}
      />
    </Panel>
  )
}

/** What visitors are sent to, and the form that stands there. */
function Landing({ offer }: { offer: Detail }) {
  const approved = offer.access === 'approved'
  return (
    <>
      {approved && offer.state === 'live' && offer.landings.length > 0 && <LinkBuilder offer={offer} />}
      <PartnerLandings landings={offer.landings} />
      {approved && <LeadForm offer={offer.uuid} />}
    </>
  )
}
