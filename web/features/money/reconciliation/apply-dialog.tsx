import { Button, Group, Stack, Switch, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { addAmounts, negated } from '#contract/money/amount.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { SHOW_BATCH } from '#web/features/money/reconciliation/reconciliation-words.ts'
import { Money } from '#web/kit/show/money.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

/** Asks before money moves: of whom, how many rows, by how much; Enter does nothing. */
export function ApplyDialog({ batch, onClose }: { batch: Reconciliation; onClose: () => void }) {
  const { t } = useTranslation('reconciliation')
  const { uuid, revision } = batch
  const [postbacks, setPostbacks] = useState(true)
  const totals = useQuery(query(reconciliationApi.totals, { params: { uuid } }))
  const apply = useSave(reconciliationApi.apply, { invalidate: SHOW_BATCH, onSuccess: onClose })
  const rows = batch.causes.reduce((sum, one) => sum + one.acting, 0)
  return (
    <Modal opened onClose={onClose} title={t('apply.title', { name: batch.advertiser?.name ?? '' })} size={480} centered>
      <Stack>
        <Text fz={14}>{t('apply.text', { count: rows, number: integer(rows) })}</Text>
        {totals.data && (
          <Table verticalSpacing={6} horizontalSpacing={0} tabularNums fz={14}>
            {totals.data.sums.map(({ currency, revenue, payout }) => (
              <Table.Tbody key={currency}>
                {(
                  [
                    ['becomes.revenue', revenue],
                    ['becomes.payout', payout],
                    ['becomes.profit', addAmounts(revenue, negated(payout))],
                  ] as const
                ).map(([name, amount]) => (
                  <Table.Tr key={name} {...(name === 'becomes.profit' && { fw: 600 })}>
                    <Table.Td>{t(name)}</Table.Td>
                    <Table.Td ta="right">
                      <Money amount={amount} currency={currency} column signed />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            ))}
          </Table>
        )}
        <Switch
          label={t('postbacks')}
          description={t('postbacksHelp')}
          checked={postbacks}
          onChange={(event) => setPostbacks(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            disabled={totals.data === undefined}
            loading={apply.isPending}
            onClick={() => apply.mutate({ params: { uuid }, body: { revision, postbacks } })}
          >
            {t('apply', { count: rows, number: integer(rows) })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
