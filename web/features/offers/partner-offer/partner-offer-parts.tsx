import { Alert, Anchor, Group, Progress, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { useConstants } from '#web/api/constants.ts'
import type { Detail } from '#web/features/offers/partner-offer/partner-offer-page.tsx'
import { conditionText, payoutText } from '#web/features/offers/partner-offer/terms-text.ts'
import { capAmount, capTitle } from '#web/cap-words.ts'
import { date, integer } from '#web/format.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { RichText } from '#web/kit/show/rich-text.tsx'
import { screenHref } from '#web/shell/access.ts'
import { YourManager } from '#web/your-manager.tsx'
import { TARGETS, targetWords } from '#web/targeting-words.ts'

/** Why there is no link just now. */
export function NotLive({ offer }: { offer: Detail }) {
  const { t } = useTranslation('partnerOffer')
  if (offer.state === 'live') return null
  const [from, to] = [offer.start_at, offer.stop_at].map((at) => (at === null ? '' : date(at, offer.time_zone)))
  return (
    <Alert color="var(--ohma-waiting)" role="note" title={t(`notLive.${offer.state}`, { from, to })}>
      <Stack gap={6}>
        <p>{t(`notLive.${offer.state}Text`)}</p>
        <Anchor component={Link} to={screenHref('partnerOffersLive')} c="inherit" underline="always">
          {t('notLive.others')}
        </Anchor>
        <YourManager inside />
      </Stack>
    </Alert>
  )
}

/** What each goal pays, and on what condition. */
export function Terms({ offer }: { offer: Detail }) {
  const { t } = useTranslation('partnerOffer')
  return (
    <Panel title={t('terms')}>
      <Table horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('goal')}</Table.Th>
            <Table.Th>{t('where')}</Table.Th>
            <Table.Th ta="right">{t('payout')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {offer.goals.flatMap((goal) =>
            goal.terms
              .map((terms) => ({
                ...terms,
                landings: offer.landings.filter(({ id }) => terms.landings.includes(id)).map(({ name }) => name),
              }))
              .map((row) => (
                <Table.Tr key={`${goal.code} ${conditionText(t, row)}`}>
                  {/* a long title breaks rather than that its payout runs out of a phone */}
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    {goal.title}{' '}
                    <Text span c="dimmed" size="xs">
                      {goal.code}
                    </Text>
                  </Table.Td>
                  <Table.Td>{conditionText(t, row)}</Table.Td>
                  <Table.Td ta="right" className="ohma-number" style={{ whiteSpace: 'nowrap' }}>
                    {payoutText(row.payout_fixed, row.payout_percent, offer.currency)}
                  </Table.Td>
                </Table.Tr>
              )),
          )}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}

/** How far the caps are filled: its own in figures, those of the whole offer as a share. */
export function Caps({ offer }: { offer: Detail }) {
  const { t } = useTranslation('partnerOffer')
  if (offer.caps.length === 0) return null
  return (
    <Panel title={t('caps')}>
      <Stack gap="sm">
        {offer.caps.map((cap) => (
          <div key={capTitle(cap)}>
            <Group justify="space-between" gap="0 12px">
              <span>{capTitle(cap)}</span>
              <strong className="ohma-number">
                {cap.used === null
                  ? t('capShare', { limit: capAmount(cap, cap.limit, offer.currency), share: integer(cap.percent) })
                  : `${capAmount(cap, cap.used, offer.currency)} / ${capAmount(cap, cap.limit, offer.currency)}`}
              </strong>
            </Group>
            <Progress value={cap.percent} aria-label={capTitle(cap)} color={cap.percent >= 100 ? 'red' : undefined} mt={4} />
          </div>
        ))}
        <Text size="sm" c="dimmed">
          {t('capsText', { zone: offer.time_zone.replaceAll('_', ' ') })}
        </Text>
      </Stack>
    </Panel>
  )
}

/** From where visitors and leads may come, and what the network writes of the offer. */
export function Conditions({ offer }: { offer: Detail }) {
  const { t } = useTranslation('partnerOffer')
  const { t: word } = useTranslation('dimension')
  const { traffic } = useConstants()
  const texts = [
    { title: t('description'), html: offer.description },
    { title: t('kpi'), html: offer.kpi },
  ].filter(({ html }) => html !== '')
  return (
    <>
      <Panel title={t('traffic')}>
        <Stack gap={8}>
          <Text size="sm">
            {offer.traffic_sources.length === 0
              ? t('anySource')
              : offer.traffic_sources.map((source) => traffic.find(({ value }) => value === source)?.label ?? source).join(', ')}
          </Text>
          <Facts
            of={TARGETS.filter((dimension) => dimension === 'geo' || offer.targeting[dimension] !== null).map((dimension) => [
              word(dimension),
              targetWords(dimension, offer.targeting[dimension], offer.network_names),
            ])}
          />
        </Stack>
      </Panel>
      {texts.map(({ title, html }) => (
        <Panel key={title} title={title}>
          <RichText html={html} />
        </Panel>
      ))}
    </>
  )
}
