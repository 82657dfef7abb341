import { Group, Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiOfferApi, type PartnerLeads } from '#contract/leads/api-offer.ts'
import { query } from '#web/api/query.ts'
import { PartnerOfferDetail, type Detail } from '#web/features/offers/partner-offer/partner-offer-detail.tsx'
import { dateTime, money } from '#web/format.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

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
                [t('required'), leads.required.map((name) => t(`field.${name}`)).join(', ')],
                [t('repeat'), leads.repeat_days === null ? t('never') : t('days', { count: leads.repeat_days })],
              ]}
            />
          </Panel>
          <Open of={leads} />
          {leads.payouts.length > 0 && <Payouts of={leads} offer={offer} />}
        </>
      )}
    </QueryPage>
  )
}

const TONES = { open: 'good', closed: 'waiting', full: 'bad', paused: 'muted' } as const

function Open({ of: { countries } }: { of: PartnerLeads }) {
  const { t } = useTranslation('partnerPage')
  const zone = useZone()
  return (
    <Panel title={t('open')} text={t('openText')}>
      {countries.length === 0 && <p className="ohma-soft">{t('nobody')}</p>}
      <Stack gap={8} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {countries.map(({ geo, state, opens_at }) => (
          <Group key={geo} component="li" gap="4px 12px">
            {geo === '' ? t(countries.length === 1 ? 'anywhere' : 'others') : <Country code={geo} />}
            <StatusBadge tone={TONES[state]} label={t(`state.${state}`)} />
            {opens_at !== null && <span className="ohma-soft">{t('opensAt', { at: dateTime(opens_at, zone) })}</span>}
          </Group>
        ))}
      </Stack>
    </Panel>
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
