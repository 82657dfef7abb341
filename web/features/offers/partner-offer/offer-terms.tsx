import { Table, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Detail } from '#web/features/offers/partner-offer/partner-offer-page.tsx'
import { conditionText, payoutText } from '#web/features/offers/partner-offer/terms-text.ts'
import { Panel } from '#web/kit/page/panel.tsx'

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
