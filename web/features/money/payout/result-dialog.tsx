import { Button, Checkbox, FileButton, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ASKED_RESULTS, FEE_RESULTS, payoutApi, type PayoutResultRow } from '#contract/money/payout.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { CallError } from '#web/api/call-error.ts'
import { useSave } from '#web/api/query.ts'
import { UNKNOWN } from '#web/format.ts'
import { readAmount } from '#web/kit/fields/decimal.ts'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { notify } from '#web/notify.ts'
import { Modal } from '#web/kit/page/modal.tsx'
import { SHOW_FILES } from './payout-words.ts'

type Preview = CallOutput<typeof payoutApi.previewResult>
/** How somebody is asked about what is doubtful. */
const SURE: Readonly<Partial<Record<string, 'result.sure_account' | 'result.sure_recalled' | 'result.sure_fee'>>> = {
  same_account: 'result.sure_account',
  recalled: 'result.sure_recalled',
  fee_odd: 'result.sure_fee',
}

/** What is said of a fee cannot be booked as it is: somebody says what it is in the currency of the account. */
function isFeeAsked({ note, becomes, otherwise }: PayoutResultRow): boolean {
  const canBe = otherwise === null || ASKED_RESULTS.includes(otherwise)
  return note !== null && FEE_RESULTS.includes(note) && becomes !== null && canBe
}

/** Whether a row asks something that can be answered here. */
function isAsking(row: PayoutResultRow): boolean {
  return isFeeAsked(row) || (row.note !== null && ASKED_RESULTS.includes(row.note) && row.becomes !== null)
}

/** Reads what a bank or payment system says of a file: what follows is shown before anything is changed. */
export function ResultDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('payout')
  const [content, setContent] = useState('')
  const [preview, setPreview] = useState<Preview>()
  const [problem, setProblem] = useState('')
  const [sure, setSure] = useState<ReadonlySet<string>>(new Set())
  const [fees, setFees] = useState<ReadonlyMap<string, string>>(new Map())
  const read = useSave(payoutApi.previewResult, { form: true })
  const apply = useSave(payoutApi.applyResult, {
    invalidate: SHOW_FILES,
    onSuccess: (counts) => {
      notify.success(t('result.done', counts))
      onClose()
    },
  })
  const choose = async (file: File | null) => {
    if (file === null) return
    const text = await file.text()
    setContent(text)
    setPreview(undefined)
    setProblem('')
    setSure(new Set())
    setFees(new Map())
    try {
      setPreview(await read.mutateAsync({ body: { content: text } }))
    } catch (error) {
      setProblem(error instanceof CallError ? (Object.values(error.fields)[0] ?? error.message) : String(error))
    }
  }
  const said = new Map(
    [...fees].flatMap(([reference, typed]) => {
      const fee = readAmount(typed)
      return fee === null ? [] : [[reference, fee] as const]
    }),
  )
  const changes =
    preview?.list.filter((row) => {
      const note = isFeeAsked(row) && said.has(row.reference) ? row.otherwise : row.note
      return row.becomes !== null && (note === null || (ASKED_RESULTS.includes(note) && sure.has(row.reference)))
    }).length ?? 0
  // each asks something, and is passed over until somebody answers
  const waiting = preview?.list.filter((row) => isAsking(row) && !sure.has(row.reference) && !said.has(row.reference)).length ?? 0
  const why =
    preview === undefined ? t(problem === '' ? 'result.first' : 'result.another') : changes === 0 ? t('result.nothing') : undefined
  return (
    <Modal opened onClose={onClose} title={t('result')} centered size={860} closeOnClickOutside={preview === undefined}>
      <p className="ohma-soft">{t('result.text')}</p>
      <FileButton onChange={(file) => void choose(file)} accept=".xml,.csv,.txt,text/csv,application/xml">
        {(props) => (
          <Button {...props} variant="default" loading={read.isPending} data-autofocus>
            {t('result.choose')}
          </Button>
        )}
      </FileButton>
      {problem !== '' && (
        <Text c="var(--ohma-bad)" mt={10} role="alert">
          {problem}
        </Text>
      )}
      {preview !== undefined && (
        <>
          <Text fw={600} mt={12} aria-live="polite">
            {t('result.found', { count: preview.rows, changes })}
            {waiting > 0 && ` · ${t('result.waiting', { count: waiting })}`}
          </Text>
          {preview.others > 0 && <p className="ohma-soft">{t('result.others', { count: preview.others })}</p>}
          <Rows
            list={preview.list.toSorted((a, b) => Number(isAsking(b)) - Number(isAsking(a)))}
            sure={sure}
            fees={fees}
            onFee={(reference, fee) => setFees((now) => new Map(now).set(reference, fee))}
            onSure={(reference) =>
              setSure((now) => {
                const next = new Set(now)
                if (!next.delete(reference)) next.add(reference)
                return next
              })
            }
          />
        </>
      )}
      <Group justify="flex-end" mt={16} gap={8}>
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
        <ReasonButton
          loading={apply.isPending}
          why={why}
          onClick={() =>
            apply.mutate({
              body: {
                content,
                confirmed: [...sure],
                fees: [...said].map(([reference, fee]) => ({ reference, fee })),
              },
            })
          }
        >
          {t('result.apply')}
        </ReasonButton>
      </Group>
      {why !== undefined && (
        <Text fz={13} mt={8} ta="right" className="ohma-soft" aria-hidden>
          {why}
        </Text>
      )}
    </Modal>
  )
}

function Rows({
  list,
  sure,
  fees,
  onFee,
  onSure,
}: {
  list: readonly PayoutResultRow[]
  sure: ReadonlySet<string>
  fees: ReadonlyMap<string, string>
  onFee: (reference: string, fee: string) => void
  onSure: (reference: string) => void
}) {
  const { t } = useTranslation('payout')
  return (
    <TableScroll label={t('result')} minWidth={620} maxHeight={360} stacked mt={10}>
      <Table verticalSpacing={5} horizontalSpacing={8} tabularNums stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('reference')}</Table.Th>
            <Table.Th>{t('affiliate')}</Table.Th>
            <Table.Th ta="right">{t('result.theirs')}</Table.Th>
            <Table.Th ta="right">{t('result.ours')}</Table.Th>
            <Table.Th>{t('result.follows')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.map((row, at) => (
            <Table.Tr key={`${at} ${row.reference}`}>
              <Table.Td data-label={t('reference')} style={{ overflowWrap: 'anywhere' }}>
                {row.reference}
              </Table.Td>
              <Table.Td data-label={t('affiliate')} data-none={row.affiliate === '' || undefined}>
                {row.affiliate}
              </Table.Td>
              <Table.Td ta="right" data-label={t('result.theirs')}>
                <Said amount={row.amount} currency={row.said_currency || row.currency} />
              </Table.Td>
              <Table.Td ta="right" data-label={t('result.ours')}>
                <Said amount={row.ours} currency={row.currency} />
              </Table.Td>
              <Table.Td data-label={t('result.follows')} data-block>
                {isFeeAsked(row) ? (
                  <Stack gap={6}>
                    <TextInput
                      size="xs"
                      inputMode="decimal"
                      autoComplete="off"
                      label={t(row.note === 'fee_currency' ? 'result.feeCurrency' : 'result.feeWrong', {
                        said: [row.fee, row.fee_currency].filter(Boolean).join(' '),
                        currency: row.fee_booked ?? '',
                      })}
                      rightSection={<span style={{ fontSize: 12, color: 'var(--ohma-soft)' }}>{row.fee_booked}</span>}
                      rightSectionWidth={56}
                      rightSectionPointerEvents="none"
                      value={fees.get(row.reference) ?? ''}
                      onChange={(event) => onFee(row.reference, event.currentTarget.value)}
                    />
                    {row.otherwise !== null && <Sure row={row} note={row.otherwise} sure={sure} onSure={onSure} />}
                  </Stack>
                ) : row.note !== null && isAsking(row) ? (
                  <Sure row={row} note={row.note} sure={sure} onSure={onSure} />
                ) : row.note !== null ? (
                  <Text fz={13} c="dimmed">
                    {t(`note.${row.note}`, { said: row.said, fee: row.fee })}
                  </Text>
                ) : (
                  row.becomes !== null && [t(`payment.${row.becomes}`), row.reason].filter(Boolean).join(' · ')
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}

type SureProps = {
  row: PayoutResultRow
  note: NonNullable<PayoutResultRow['note']>
  sure: ReadonlySet<string>
  onSure: (reference: string) => void
}

/** What of a row has to be confirmed. */
function Sure({ row, note, sure, onSure }: SureProps) {
  const { t } = useTranslation('payout')
  const fee = [row.fee, row.fee_currency].filter(Boolean).join(' ')
  return (
    <Checkbox
      size="xs"
      checked={sure.has(row.reference)}
      onChange={() => onSure(row.reference)}
      c={note === 'recalled' ? 'var(--ohma-bad)' : undefined}
      label={t(SURE[note] ?? 'result.sure', { becomes: t(`payment.${row.becomes ?? 'settled'}`) })}
      description={!isFeeAsked(row) && /[1-9]/.test(row.fee) ? t('result.fee', { fee }) : undefined}
    />
  )
}

/** An amount of either side; of somebody else's payment nobody has said in what it is. */
function Said({ amount, currency }: { amount: string | null; currency: string | null }) {
  if (amount === null) return UNKNOWN
  return currency === null ? amount : <Money amount={amount} currency={currency} column />
}
