import { Badge, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '#web/features/offer/detail/panel.tsx'
import type { OfferDetail } from '#web/features/offer/form/offer-values.ts'
import { RuleMargin } from '#web/features/offer/form/rule-margin.tsx'
import { conditionWords, termsWords } from '#web/features/offer/rule-words.ts'
import classes from '#web/features/offer/detail/offer-detail.module.css'

/** What every goal pays to whom, in the order rows were written. */
export function OfferTerms({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  return (
    <Panel title={t('section.terms')} text={t('section.termsText')}>
      {/* on a phone it is scrolled sideways, by keyboard too */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.scroll} role="region" aria-label={t('section.terms')} tabIndex={0}>
        <Table verticalSpacing={7} layout="fixed" miw={600} aria-label={t('section.terms')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="26%">{t('goal')}</Table.Th>
              <Table.Th>{t('rule.applies')}</Table.Th>
              <Table.Th w={130} ta="right">
                {t('payout')}
              </Table.Th>
              <Table.Th w={130} ta="right">
                {t('revenue')}
              </Table.Th>
              <Table.Th w={130} ta="right">
                {t('rule.margin')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {offer.goals.flatMap((goal) =>
              (goal.rules.length === 0 ? [undefined] : goal.rules).map((rule, index) => {
                const terms = rule && { ...rule, affiliates: rule.affiliates.map(({ id }) => id) }
                return (
                  // rows have no identity of their own, their place is what counts
                  // oxlint-disable-next-line react/no-array-index-key
                  <Table.Tr key={`${goal.uuid}.${index}`}>
                    <Table.Td>
                      {index === 0 && (
                        <span className={classes.goal}>
                          {goal.title} <code>{goal.code}</code>
                          {goal.is_default && (
                            <Badge variant="default" tt="none" fw={500}>
                              {t('goal.isDefault')}
                            </Badge>
                          )}
                          {goal.hidden && (
                            <Badge variant="default" tt="none" fw={500}>
                              {t('goal.isHidden')}
                            </Badge>
                          )}
                        </span>
                      )}
                    </Table.Td>
                    <Table.Td>{terms ? conditionWords(t, terms) : t('rule.none')}</Table.Td>
                    <Table.Td ta="right" className="ohma-number">
                      {terms && termsWords(t, terms.payout_fixed, terms.payout_percent, offer.currency)}
                    </Table.Td>
                    <Table.Td ta="right" className="ohma-number">
                      {terms && termsWords(t, terms.revenue_fixed, terms.revenue_percent, offer.currency)}
                    </Table.Td>
                    <Table.Td ta="right">{terms && <RuleMargin rule={terms} currency={offer.currency} bare />}</Table.Td>
                  </Table.Tr>
                )
              }),
            )}
          </Table.Tbody>
        </Table>
      </div>
    </Panel>
  )
}
