import { Anchor, Button, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { isOfLead } from '#contract/money/reconciliation-cause.ts'
import { reconciliationApi, type Reconciliation, type ReconciliationRow } from '#contract/money/reconciliation.ts'
import { query } from '#web/api/query.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { ROW_STATE } from '#web/features/money/reconciliation/reconciliation-words.ts'
import type { Choice, useChoose } from '#web/features/money/reconciliation/use-choose.ts'
import { ConversionStatusBadge } from '#web/conversion-status.tsx'
import { reasonOf, useLifeHref } from '#web/conversion-words.ts'
import { fieldText } from '#web/i18n/language.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { screenHref } from '#web/shell/access.ts'

type Detail = CallOutput<typeof reconciliationApi.row>
type RowPanelProps = { batch: Reconciliation; among: readonly string[]; onChoose: ReturnType<typeof useChoose> | undefined }

/** One row from three sides: the line of the report, our conversion with its calls, and what was invoiced and paid. */
export function RowPanel({ batch, among, onChoose }: RowPanelProps) {
  const { t } = useTranslation('reconciliation')
  const { open, show, close } = usePanelAddress('row')
  const found = useQuery(query(reconciliationApi.row, { params: { uuid: batch.uuid }, query: { row: Number(open) || 1 } }))
  const line = found.data?.row.line
  return (
    <SidePanel
      title={typeof line !== 'number' ? t('panel.ours') : t('panel.line', { line: integer(line) })}
      size={640}
      open={open ?? ''}
      among={among}
      onShow={show}
      onClose={close}
    >
      <QueryPage query={found} failed={t('failed')}>
        {(detail) => <Shown detail={detail} batch={batch} onChoose={onChoose} />}
      </QueryPage>
    </SidePanel>
  )
}

function Shown({ detail, batch, onChoose }: Pick<RowPanelProps, 'batch' | 'onChoose'> & { detail: Detail }) {
  const { t } = useTranslation('reconciliation')
  const { row } = detail
  return (
    <Stack>
      <Decision row={row} batch={batch} onChoose={onChoose} />
      <Theirs detail={detail} />
      <Ours row={row} />
      {detail.calls.length > 0 && (
        <Panel title={t('panel.calls')}>
          <Table verticalSpacing={4}>
            <Table.Tbody>
              {detail.calls.map((call) => (
                <Table.Tr key={call.id}>
                  <Table.Td>
                    <Moment at={call.at} />
                  </Table.Td>
                  <Table.Td>{t(`outcome.${call.outcome}` as 'outcome.refused')}</Table.Td>
                  <Table.Td>{call.reason}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Panel>
      )}
      <Panel title={t('panel.money')}>
        <Facts
          of={[
            [t('panel.affiliate'), <Invoices key="a" of={detail.affiliate_invoices} currency={row.ours?.currency ?? ''} />],
            [t('panel.advertiser'), <Invoices key="b" of={detail.advertiser_invoices} currency={row.ours?.currency ?? ''} />],
            ...(row.ours === null ? [] : [[t('panel.payment'), t(`payment.${row.ours.payment_state}`)] as const]),
          ]}
        />
      </Panel>
    </Stack>
  )
}

function Decision({ row, batch, onChoose }: { row: ReconciliationRow } & Pick<RowPanelProps, 'batch' | 'onChoose'>) {
  const { t } = useTranslation('reconciliation')
  const choices: Choice[] = (
    batch.format === 'counter'
      ? (['proposal', 'none'] as const)
      : (['proposal', 'approve', 'decline', 'correct', 'create', 'none'] as const)
  ).filter(
    (one) => one === 'proposal' || one === 'none' || (one === 'create' ? row.ours === null && !isOfLead(row.cause) : row.ours !== null),
  )
  return (
    <Panel title={t(`cause.${row.cause ?? 'none'}`)} {...(row.cause !== null && { text: t(`why.${row.cause}`) })}>
      <Facts
        of={[
          [t('key'), row.key === null ? t('key.none') : t(`key.${row.key}`)],
          ...(row.detail === ''
            ? []
            : [
                isOfLead(row.cause)
                  ? ([t('lead'), <LeadLink key="lead" id={row.detail} />] as const)
                  : ([t('detail'), row.detail] as const),
              ]),
          [t('proposal'), t(`proposal.${row.proposal}`)],
          [t('action'), t(`action.${row.action}`)],
          ...(row.becomes === null
            ? []
            : [
                [t('becomes.payout'), <Money key="p" amount={row.becomes.payout} currency={row.becomes.currency} signed />] as const,
                [t('becomes.revenue'), <Money key="r" amount={row.becomes.revenue} currency={row.becomes.currency} signed />] as const,
              ]),
          [t('row'), <Status key="state" of={ROW_STATE} value={row.state} />],
          ...(row.reason === '' ? [] : [[t('reason'), fieldText(row.reason)] as const]),
        ]}
      />
      {row.becomes_correction && <Text fz={13}>{t('becomesCorrection')}</Text>}
      {onChoose && row.cause !== null && (
        <Group gap={8}>
          {choices.map((one) => (
            <Button key={one} size="compact-sm" variant="default" onClick={() => void onChoose([row.row], one)}>
              {t(`choose.${one}`)}
            </Button>
          ))}
        </Group>
      )}
    </Panel>
  )
}

/** What came of a lead is said there, and decided there. */
function LeadLink({ id }: { id: string }) {
  return (
    <Anchor component={Link} to={`${screenHref('statisticApiUserSession')}?session=${id}`} fz={14}>
      {id}
    </Anchor>
  )
}

function Theirs({ detail: { row, cells } }: { detail: Detail }) {
  const { t } = useTranslation('reconciliation')
  return (
    <Panel title={t('panel.theirs')}>
      {row.theirs === null ? (
        <Text fz={14}>{t('panel.noLine')}</Text>
      ) : (
        <Facts
          of={cells
            .filter(({ text }) => text !== '')
            .map(
              ({ column, text }, place) => [column || t('unnamed', { number: place + 1 }), <CopyText key={column} text={text} />] as const,
            )}
        />
      )}
    </Panel>
  )
}

function Ours({ row: { ours } }: { row: ReconciliationRow }) {
  const { t } = useTranslation('reconciliation')
  const { t: conversion } = useTranslation('conversion')
  const lifeHref = useLifeHref()
  if (ours === null)
    return (
      <Panel title={t('panel.ours')}>
        <Text fz={14}>{t('panel.noConversion')}</Text>
      </Panel>
    )
  return (
    <Panel
      title={t('panel.ours')}
      actions={
        <Anchor component={Link} to={lifeHref(ours.uuid)} fz={14}>
          {t('panel.open')}
        </Anchor>
      }
    >
      <Facts
        of={[
          [t('weStatus'), <ConversionStatusBadge key="status" status={ours.status} />],
          ...(ours.reason === '' ? [] : [[t('reason'), reasonOf(conversion, ours.reason)] as const]),
          [t('at'), <Moment key="at" at={ours.at} />],
          [t('transaction'), ours.transaction_id === null ? UNKNOWN : <CopyText key="txn" text={ours.transaction_id} />],
          [t('click'), <CopyText key="click" text={ours.click_id} />],
          [t('offer'), `${ours.offer.name}, ${ours.goal}`],
          [t('affiliate'), ours.affiliate.name],
          [t('revenue'), <Money key="revenue" amount={ours.revenue} currency={ours.currency} />],
          [t('payout'), <Money key="payout" amount={ours.payout} currency={ours.currency} />],
          ...(ours.amount === null ? [] : [[t('sale'), <Money key="sale" amount={ours.amount} currency={ours.currency} />] as const]),
        ]}
      />
    </Panel>
  )
}

function Invoices({ of, currency }: { of: Detail['affiliate_invoices']; currency: string }) {
  const { t } = useTranslation('reconciliation')
  if (of.length === 0) return <>{t('panel.noInvoice')}</>
  return (
    <Stack gap={2}>
      {of.map(({ uuid, number, amount }) => (
        <span key={uuid}>
          <Anchor component={Link} to={screenHref('invoiceDetail', { uuid })} fz={14}>
            {number ?? t('panel.draft')}
          </Anchor>{' '}
          <Money amount={amount} currency={currency} />
        </span>
      ))}
    </Stack>
  )
}
