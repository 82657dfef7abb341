import { Anchor, Table } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { isNothing } from '#contract/money/amount.ts'
import { Money } from '#web/kit/show/money.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { SideMoney } from './side-money.tsx'
import type { TrialFigures, TrialLine, TrialPart } from './trial-rows.ts'

type TrialTableProps = {
  part: TrialPart
  title: string
  /** Shows the accounts of one line. */ onChoose?: (kind: string, currency: string) => void
}

/** One currency of the trial balance: its accounts summed by kind, what they come to, and apart from them what is not decided yet. */
export function TrialTable({ part, title, onChoose }: TrialTableProps) {
  const { t } = useTranslation('ledger')
  const { currency, accounts, sum, memo, memoSum } = part
  const differs = sum.difference !== undefined
  const line = ({ kind, figures }: TrialLine) => (
    <Table.Tr key={kind}>
      <Table.Td>
        {onChoose ? (
          <Anchor component="button" type="button" fz="inherit" ta="left" onClick={() => onChoose(kind, currency)}>
            {t(`account.${kind}`)}
          </Anchor>
        ) : (
          t(`account.${kind}`)
        )}
      </Table.Td>
      <Figures of={figures} kind={kind} currency={currency} differs={differs} />
    </Table.Tr>
  )
  const sums = (label: string, figures: TrialFigures) => (
    <Table.Tr fw={600} bg="var(--ohma-sunken)">
      <Table.Td fw={600}>{label}</Table.Td>
      <Figures of={figures} currency={currency} differs={differs} />
    </Table.Tr>
  )
  return (
    <Panel title={title}>
      <TableScroll label={`${t('trial')}, ${title}`} minWidth={differs ? 760 : 620} stacked>
        <Table verticalSpacing={4} horizontalSpacing={8} tabularNums fz={13.5} aria-label={`${t('trial')}, ${title}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('account')}</Table.Th>
              <Table.Th ta="right">{t('opening')}</Table.Th>
              <Table.Th ta="right">{t('debits')}</Table.Th>
              <Table.Th ta="right">{t('credits')}</Table.Th>
              {differs && <Table.Th ta="right">{t('difference')}</Table.Th>}
              <Table.Th ta="right">{t('closing')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {accounts.map(line)}
            {sums(t('sums.total', { currency }), sum)}
          </Table.Tbody>
          {memo.length > 0 && (
            <Table.Tbody>
              <Table.Tr>
                <Table.Td colSpan={differs ? 6 : 5} pt={14} className="ohma-soft">
                  {t('sums.memo')}
                </Table.Td>
              </Table.Tr>
              {memo.map(line)}
              {sums(t('sums.memoTotal'), memoSum)}
            </Table.Tbody>
          )}
        </Table>
      </TableScroll>
    </Panel>
  )
}

type FiguresProps = { of: TrialFigures; kind?: TrialLine['kind']; currency: string; differs: boolean }

function Figures({ of, kind, currency, differs }: FiguresProps) {
  const { t } = useTranslation('ledger')
  const own = { currency, ...(kind && { kind }) }
  // on a phone what an account does not have is not told of each: what it holds in the end is
  const look = (name: 'opening' | 'debits' | 'credits' | 'difference' | 'closing') => ({
    'data-label': t(name),
    'data-none': (name !== 'closing' && isNothing(of[name] ?? '0')) || undefined,
    ta: 'right' as const,
  })
  return (
    <>
      <Table.Td {...look('opening')}>
        <SideMoney amount={of.opening} {...own} />
      </Table.Td>
      <Table.Td {...look('debits')}>
        <Money amount={of.debits} currency={currency} column />
      </Table.Td>
      <Table.Td {...look('credits')}>
        <Money amount={of.credits} currency={currency} column />
      </Table.Td>
      {differs && (
        <Table.Td {...look('difference')}>
          <SideMoney amount={of.difference ?? '0'} currency={currency} />
        </Table.Td>
      )}
      <Table.Td {...look('closing')}>
        <SideMoney amount={of.closing} {...own} />
      </Table.Td>
    </>
  )
}
