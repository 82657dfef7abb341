import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { addAmounts } from '#contract/money/amount.ts'
import { receiptApi, type Receipt } from '#contract/money/receipt.ts'
import { query, useSave } from '#web/api/query.ts'
import { day, money } from '#web/format.ts'
import { PartsTable } from '#web/features/money/receivable/parts-table.tsx'
import { amountTyped, isNone, SHOW_RECEIVABLES, typed } from '#web/features/money/receivable/receivable-words.ts'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { notify } from '#web/notify.ts'

/** Says anew which invoices a receipt is for; what is left is paid in advance. What came in of debts given up stays where it is. */
export function AllotDialog({ of, onClose }: { of: Receipt; onClose: () => void }) {
  const { t } = useTranslation('receivable')
  const id = useId()
  const { currency } = of
  const [edited, setEdited] = useState<Readonly<Record<string, string>>>({})
  const mine = of.parts.filter(({ recovered }) => !recovered)
  const invoice_uuids = mine.map(({ invoice_uuid }) => invoice_uuid)
  const found = useQuery(query(receiptApi.propose, { body: { advertiser_uuid: of.advertiser.uuid, currency, amount: '0', invoice_uuids } }))
  const save = useSave(receiptApi.allot, {
    invalidate: SHOW_RECEIVABLES,
    onSuccess: () => {
      notify.success(t('toast.allot'))
      onClose()
    },
  })
  const open = (found.data?.list ?? []).filter(({ written_off }) => !written_off)
  const rows = [
    ...mine.map(({ invoice_uuid, number, amount }) => {
      const still = open.find((one) => one.invoice_uuid === invoice_uuid)
      return { invoice_uuid, number, due_day: still?.due_day ?? null, now: amount, most: addAmounts(still?.open ?? '0', amount) }
    }),
    ...open
      .filter(({ invoice_uuid }) => mine.every((one) => one.invoice_uuid !== invoice_uuid))
      .map((one) => ({ invoice_uuid: one.invoice_uuid, number: one.number, due_day: one.due_day, now: '0', most: one.open })),
  ]
  const textOf = (row: (typeof rows)[number]) => edited[row.invoice_uuid] ?? typed(row.now)
  const amountOf = (text: string) => amountTyped(text) ?? '0'
  const isUnread = rows.some((row) => amountTyped(textOf(row)) === null)
  const recovered = addAmounts('0', ...of.parts.filter((one) => one.recovered).map(({ amount }) => amount))
  const used = addAmounts('0', ...rows.map((row) => amountOf(textOf(row))))
  // what never arrived is for the invoices it was taken for alone
  const isSame = rows.every((row) => addAmounts(amountOf(textOf(row))) === addAmounts(row.now))
  const rest = addAmounts(of.amount, isSame ? '0' : `-${of.short}`, `-${of.paid_back}`, `-${recovered}`, `-${used}`)
  const tooMuch = rest.startsWith('-')
  const submit = (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    if (tooMuch || isUnread || found.data === undefined || rows.length === 0) return
    const parts = rows
      .map((row) => ({ invoice_uuid: row.invoice_uuid, amount: amountOf(textOf(row)) }))
      .filter(({ amount }) => !isNone(amount))
    save.mutate({ params: { uuid: of.uuid }, body: { revision: of.revision, parts } })
  }
  const sum = (amount: string) => money(amount, currency)
  return (
    <DialogForm
      of={{ id, submit, saving: save.isPending, dirty: Object.keys(edited).length > 0, problems: [], reload: undefined }}
      title={t('allot')}
      text={t('allot.text', { name: of.advertiser.name, sum: sum(of.amount), day: day(of.day) })}
      action={t('allot')}
      size={560}
      careful
      why={isUnread ? t('receipt.noAmounts') : undefined}
      onClose={onClose}
    >
      {rows.length > 0 && (
        <PartsTable
          list={rows.map((row) => ({ ...row, said: row.due_day && t('dueOn', { day: day(row.due_day) }), text: textOf(row) }))}
          currency={currency}
          most={t('allot.most')}
          onType={(invoice, value) => setEdited((now) => ({ ...now, [invoice]: value }))}
        />
      )}
      {found.data?.more && <p className="ohma-soft">{t('allot.more')}</p>}
      <Text fz={13} c={tooMuch ? 'var(--ohma-bad)' : 'dimmed'} aria-live="polite">
        {tooMuch
          ? t('receipt.tooMuch', { sum: sum(rest.slice(1)) })
          : found.data !== undefined && rows.length === 0
            ? t('allot.noneOpen', { name: of.advertiser.name, sum: sum(rest) })
            : isNone(rest)
              ? t('receipt.exact')
              : t('receipt.advance', { sum: sum(rest) })}
      </Text>
    </DialogForm>
  )
}
