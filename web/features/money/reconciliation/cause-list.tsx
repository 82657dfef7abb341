import { Anchor, Table, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import type { Reconciliation } from '#contract/money/reconciliation.ts'
import { addAmounts, negated, toUnits } from '#contract/money/amount.ts'
import { integer } from '#web/format.ts'
import { DisputeButton } from '#web/features/money/reconciliation/dispute-button.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { useCan } from '#web/shell/access.ts'
import classes from '#web/features/money/reconciliation/reconciliation.module.css'

/** Differences by their cause, and what each side says; a cause shows its rows beneath. */
export function CauseList({ batch }: { batch: Reconciliation }) {
  const { t } = useTranslation('reconciliation')
  const can = useCan()
  const [params, setParams] = useSearchParams()
  const { causes, agreeing } = batch
  const shown = params.get('cause')
  const all = [
    ...Map.groupBy(
      causes.flatMap(({ amounts }) => amounts),
      ({ currency }) => currency,
    ),
  ].map(([currency, those]) => ({
    currency,
    theirs: addAmounts(...those.map(({ theirs }) => theirs)),
    ours: addAmounts(...those.map(({ ours }) => ours)),
  }))
  const countOf = (of: 'rows' | 'acting') => causes.reduce((sum, one) => sum + one[of], 0)
  const show = (cause: string | null) =>
    setParams(
      (now) => {
        if (cause === null) now.delete('cause')
        else now.set('cause', cause)
        now.delete('page')
        return now
      },
      { replace: true },
    )
  return (
    <Panel
      title={t('differences')}
      actions={
        batch.advertiser !== null &&
        batch.format !== 'counter' &&
        causes.length > 0 &&
        can('billing.write') && <DisputeButton batch={batch} cause={causes.find(({ cause }) => cause === shown)?.cause ?? null} />
      }
      text={batch.format === 'counter' ? t('counter.rows') : t('agreeing', { count: agreeing, number: integer(agreeing) })}
    >
      {causes.length === 0 ? (
        <Text role="status">{t('noDifference')}</Text>
      ) : (
        <TableScroll label={t('differences')} minWidth={620} stacked>
          <Table verticalSpacing={6} tabularNums>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('cause')}</Table.Th>
                <Table.Th ta="right">{t('rows')}</Table.Th>
                <Table.Th ta="right">{t('acting')}</Table.Th>
                <Table.Th ta="right">{t('theirs')}</Table.Th>
                <Table.Th ta="right">{t('ours')}</Table.Th>
                <Table.Th ta="right">{t('difference')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {causes.map(({ cause, rows, acting, amounts }) => (
                <Table.Tr key={cause} data-shown={shown === cause || undefined} className={classes.cause}>
                  <Table.Th scope="row">
                    <Anchor
                      component="button"
                      type="button"
                      aria-pressed={shown === cause}
                      ta="left"
                      onClick={() => show(shown === cause ? null : cause)}
                    >
                      {t(`cause.${cause}`)}
                    </Anchor>
                    <Text fz={12.5} c="dimmed" fw={400}>
                      {t(`why.${cause}`)}
                    </Text>
                  </Table.Th>
                  <Table.Td ta="right" data-label={t('rows')}>
                    {integer(rows)}
                  </Table.Td>
                  <Table.Td ta="right" data-label={t('acting')}>
                    {integer(acting)}
                  </Table.Td>
                  <Sides of={amounts} />
                </Table.Tr>
              ))}
            </Table.Tbody>
            <Table.Tfoot>
              <Table.Tr fw={600} className={classes.cause}>
                <Table.Th scope="row" c="inherit" fz={14}>
                  {t('differences.all')}
                </Table.Th>
                <Table.Td ta="right" data-label={t('rows')}>
                  {integer(countOf('rows'))}
                </Table.Td>
                <Table.Td ta="right" data-label={t('acting')}>
                  {integer(countOf('acting'))}
                </Table.Td>
                <Sides of={all} />
              </Table.Tr>
            </Table.Tfoot>
          </Table>
        </TableScroll>
      )}
    </Panel>
  )
}

/** What each side says in each currency, and by how much they differ. */
function Sides({ of }: { of: readonly { currency: string; theirs: string; ours: string }[] }) {
  const { t } = useTranslation('reconciliation')
  // a cause without money: its cards on a phone would be mostly noughts
  const isNothing = of.every(({ theirs, ours }) => toUnits(theirs) === 0n && toUnits(ours) === 0n) || undefined
  return (
    <>
      {(['theirs', 'ours'] as const).map((side) => (
        <Table.Td key={side} ta="right" data-label={t(side)} data-none={isNothing}>
          <div>
            {of.map((one) => (
              <div key={one.currency}>
                <Money amount={one[side]} currency={one.currency} column />
              </div>
            ))}
          </div>
        </Table.Td>
      ))}
      <Table.Td ta="right" data-label={t('difference')} data-none={isNothing}>
        <div>
          {of.map(({ currency, theirs, ours }) => (
            <div key={currency}>
              <Money amount={addAmounts(theirs, negated(ours))} currency={currency} column signed />
            </div>
          ))}
        </div>
      </Table.Td>
    </>
  )
}
