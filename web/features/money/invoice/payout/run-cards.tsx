import { Group, Stack, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { billingRunApi } from '#contract/money/billing-run.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { day, integer } from '#web/format.ts'
import { SystemName } from '#web/features/money/invoice/invoice-words.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { ByHand } from './by-hand.tsx'
import { useRunRemark } from './use-run-remark.ts'

type RunCardsProps = { list: CallOutput<typeof billingRunApi.preview>['list'] }

/** What a run would make, on a phone: who gets how much, of what it is made, and why somebody gets nothing. */
export function RunCards({ list }: RunCardsProps) {
  const { t } = useTranslation('request')
  const { t: invoice } = useTranslation('invoice')
  const remark = useRunRemark()
  return (
    <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }}>
      {list.map((row) => (
        <li
          key={`${(row.affiliate ?? row.advertiser)?.uuid} ${row.currency}`}
          style={{ borderTop: '1px solid var(--ohma-line)', padding: '10px 0' }}
        >
          <Group justify="space-between" wrap="nowrap" align="baseline">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {(row.affiliate ?? row.advertiser)?.name}
            </Text>
            <Text fw={600} style={{ whiteSpace: 'nowrap' }} c={row.left_out === null ? undefined : 'dimmed'}>
              <Money amount={row.total} currency={row.currency} />
            </Text>
          </Group>
          <Text fz={13} c="dimmed">
            {t('net')} <Money amount={row.net} currency={row.currency} /> · {invoice('vat')}{' '}
            <Money amount={row.vat} currency={row.currency} /> · {t('conversions')} {integer(row.conversions)}
          </Text>
          <Text fz={13} c="dimmed">
            {row.mode !== null && (
              <>
                {invoice(`mode.${row.mode}`)} · <SystemName code={row.payment_system} /> ·{' '}
              </>
            )}
            {t('due')} {day(row.due_day)}
          </Text>
          {remark(row) !== '' && (
            <Text fz={13} c={row.left_out === null ? undefined : 'var(--ohma-bad)'}>
              {row.left_out !== null && `${t('leftOut')}: `}
              {remark(row)}
              <ByHand row={row} />
            </Text>
          )}
        </li>
      ))}
    </Stack>
  )
}
