import { Badge, Group, Table, Text } from '@mantine/core'
import type { Say } from '#web/i18n/use-translation.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { RuleMargin } from '#web/features/offers/offer/form/rule-margin.tsx'
import { conditionWords, termsWords, type RuleTerms } from '#web/features/offers/offer/rule-words.ts'
import type { Column } from '#web/kit/table/column.ts'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { useViewport } from '#web/viewport.ts'

type Goal = OfferDetail['goals'][number]
/** One payout row of a goal, or the goal alone while it has none. */
type Row = { key: string; goal: Goal; first: boolean; terms: RuleTerms | undefined }

/** What every goal pays to whom, in the order rows were written. */
export function OfferTerms({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const mobile = useViewport() === 'mobile'
  const rows = offer.goals.flatMap(rowsOf)
  const columns = termsColumns(t, offer)
  return (
    <Panel title={t('section.terms')} text={t('section.termsText')}>
      {mobile ? (
        <TableCards name="terms" label={t('section.terms')} rows={rows} columns={columns} rowKey={({ key }) => key} />
      ) : (
        <TermsTable label={t('section.terms')} rows={rows} columns={columns} />
      )}
    </Panel>
  )
}

function TermsTable({ label, rows, columns }: { label: string; rows: readonly Row[]; columns: readonly Column<Row>[] }) {
  return (
    <Table verticalSpacing={7} layout="fixed" aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column.id} w={column.card === 'title' ? '26%' : column.width} ta={column.numeric ? 'right' : undefined}>
              {column.header}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.key}>
            {columns.map((column) => (
              <Table.Td key={column.id} ta={column.numeric ? 'right' : undefined}>
                {(row.first || column.card !== 'title') && column.cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function rowsOf(goal: Goal): Row[] {
  if (goal.rules.length === 0) return [{ key: goal.uuid, goal, first: true, terms: undefined }]
  return goal.rules.map((rule, index) => ({
    // payout rows have no identity of their own, their place is what counts
    key: `${goal.uuid}.${index}`,
    goal,
    first: index === 0,
    terms: { ...rule, affiliates: rule.affiliates.map(({ id }) => id), landings: rule.landings.map(({ name }) => name) },
  }))
}

function termsColumns(t: Say<'offer'>, { currency }: OfferDetail): Column<Row>[] {
  const amount = (id: 'payout' | 'revenue'): Column<Row> => ({
    id,
    header: t(id),
    cell: ({ terms }) => (
      <span className="ohma-number">{terms && termsWords(t, terms[`${id}_fixed`], terms[`${id}_percent`], currency)}</span>
    ),
    numeric: true,
    width: 130,
    card: 'field',
  })
  return [
    { id: 'goal', header: t('goal'), cell: ({ goal }) => <GoalName goal={goal} />, card: 'title' },
    {
      id: 'applies',
      header: t('rule.applies'),
      cell: ({ terms }) => (terms ? conditionWords(t, terms) : t('rule.none')),
      card: 'field',
    },
    amount('payout'),
    amount('revenue'),
    {
      id: 'margin',
      header: t('rule.margin'),
      cell: ({ terms }) => terms && <RuleMargin rule={terms} currency={currency} bare />,
      numeric: true,
      width: 130,
      card: 'field',
    },
  ]
}

function GoalName({ goal }: { goal: Goal }) {
  const { t } = useTranslation('offer')
  return (
    <Group gap="2px 8px">
      {goal.title}
      <Text span fz={12.5} ff="monospace" c="dimmed">
        {goal.code}
      </Text>
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
    </Group>
  )
}
