import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { addAmounts } from '#contract/money/amount.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { receiptApi } from '#contract/money/receipt.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { authApi } from '#contract/people/auth.ts'
import { amountMistakes } from '#web/invoice/amount-mistakes.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { day, money } from '#web/format.ts'
import { PartsTable } from '#web/features/money/receivable/parts-table.tsx'
import { amountTyped, isNone, SHOW_RECEIVABLES, typed } from '#web/features/money/receivable/receivable-words.ts'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { ExchangeField } from '#web/exchange-field.tsx'
import { heldBy } from '#web/held-by.ts'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { useProposed } from '#web/invoice/use-proposed.tsx'
import { notify } from '#web/notify.ts'
import { usePresetSource } from '#web/use-preset-source.ts'
import { todayIn } from '#web/zone-time.ts'

type ReceiptDialogProps = {
  /** Who paid; without, it is chosen here. */
  advertiser?: { uuid: string; name: string }
  /** Without, it is chosen here: nothing need be owed yet. */
  currency?: string
  /** What is chosen first, where it is chosen here. */
  suggested?: string | undefined
  /** What is open of the invoice it is booked from. */
  amount?: string
  onClose: () => void
}

/** Books what an advertiser paid. The oldest invoices are proposed, and each amount can be changed; what is left, or all where nothing is invoiced yet, is paid in advance. */
export function ReceiptDialog({ advertiser, currency: fixed, suggested, amount = '', onClose }: ReceiptDialogProps) {
  const { t } = useTranslation('receivable')
  const { t: request } = useTranslation('request')
  const zone = useZone()
  const { currency: currencies } = useConstants()
  // the frame of the panel has asked for it
  const { data: me } = useQuery({ ...query(authApi.me, {}), staleTime: 60_000 })
  // the same receipt, however often it is sent
  const [key] = useState(() => crypto.randomUUID())
  const [edited, setEdited] = useState<Readonly<Record<string, string>>>({})
  // what is sent, as it was seen last
  const missing = useRef(false)
  const chosen = useRef<{ invoice_uuid: string; amount: string }[] | null>(null)
  const [name, setName] = useState(advertiser?.name ?? '')
  const { data: where } = useQuery(query(invoiceApi.sources, {}))
  const sources = where?.list ?? []
  const form = useSaveForm({
    endpoint: receiptApi.book,
    check: (values) => ({
      ...(values.advertiser_uuid === null && { advertiser_uuid: 'Choose an advertiser' }),
      ...amountMistakes(values, { amount: values.currency }),
    }),
    initial: {
      advertiser_uuid: (advertiser?.uuid ?? null) as string | null,
      currency: (fixed ?? suggested ?? me?.currency ?? null) as string | null,
      amount: typed(amount),
      day: todayIn(zone) as string | null,
      source_id: '1' as string | null,
      external_id: '',
      note: '',
      moved: '',
      moved_sure: false,
      short: false,
    },
    toInput: ({ advertiser_uuid, currency: code, day: on, source_id, moved, moved_sure, short: isShort, ...values }) => ({
      body: {
        ...values,
        key,
        advertiser_uuid: advertiser_uuid ?? '',
        currency: code ?? '',
        day: on ?? '',
        source_id: Number(source_id),
        // untouched, the server takes the oldest at the moment it books
        parts: chosen.current,
        short: isShort && missing.current,
        moved: heldBy(sources, source_id, code ?? '', { moved, moved_sure }),
      },
    }),
    invalidate: [...SHOW_RECEIVABLES, proposalApi.list],
    savedText: '',
    onSaved: ({ proposed }) => {
      notify.success(proposed ? request('proposed.toast') : t('receipt.done'))
      onClose()
    },
  })
  const who = form.values.advertiser_uuid ?? ''
  const currency = form.values.currency ?? ''
  usePresetSource(sources, form.values.source_id, (source) => form.form.setFieldValue('source_id', source))
  const asked = amountTyped(form.values.amount) ?? '0'
  const says = useProposed(
    { kind: 'receipt', amount: form.values.amount, currency: who === '' ? null : form.values.currency, advertiser_uuid: who || null },
    {
      title: advertiser === undefined ? t('receipt.book') : t('receipt.title', { name: advertiser.name }),
      action: t('receipt.book'),
    },
  )
  const found = useQuery({
    ...query(receiptApi.propose, { body: { advertiser_uuid: who, currency, amount: asked } }),
    enabled: who !== '' && currency !== '',
    // what somebody else owes is not shown meanwhile
    placeholderData: (before, was) => {
      const said = was?.queryKey[1].body
      return said?.advertiser_uuid === who && said.currency === currency ? before : undefined
    },
  })
  const open = found.data?.list ?? []
  // untouched, the server takes the oldest at the moment it books
  const isEdited = open.some((one) => edited[one.invoice_uuid] !== undefined)
  chosen.current = isEdited
    ? open.map((one) => ({ invoice_uuid: one.invoice_uuid, amount: amountTyped(edited[one.invoice_uuid] ?? one.amount) ?? '' }))
    : null
  const isUnread = open.some((one) => amountTyped(edited[one.invoice_uuid] ?? one.amount) === null)
  const used = addAmounts('0', ...open.map((one) => amountTyped(edited[one.invoice_uuid] ?? one.amount) ?? '0'))
  const rest = addAmounts(asked, `-${used}`)
  const held = sources.find(({ id }) => String(id) === form.values.source_id)?.currency ?? currency
  const short = isEdited ? null : (found.data?.short ?? null)
  missing.current = short !== null
  return (
    <DialogForm
      of={form}
      title={says.title}
      action={says.action}
      size={560}
      careful
      why={isUnread ? t('receipt.noAmounts') : undefined}
      outcome={
        <Text fz={13} c={rest.startsWith('-') ? 'var(--ohma-bad)' : 'dimmed'} aria-live="polite">
          {rest.startsWith('-')
            ? t('receipt.tooMuch', { sum: money(rest.slice(1), currency) })
            : open.length === 0
              ? found.data === undefined
                ? ''
                : t('receipt.noneOpen', { name })
              : isNone(asked)
                ? ''
                : isNone(rest)
                  ? t('receipt.exact')
                  : t('receipt.advance', { sum: money(rest, currency) })}
        </Text>
      }
      onClose={onClose}
    >
      {advertiser === undefined && (
        <ReferenceField
          of={form}
          name="advertiser_uuid"
          label={t('advertiser')}
          endpoint={advertiserApi.options}
          clearable={false}
          onPick={(row) => setName(row.name)}
          required
        />
      )}
      {fixed === undefined && (
        <SelectField of={form} name="currency" label={t('currency', { ns: 'common' })} options={currencies} required />
      )}
      <NumberField of={form} name="amount" label={t('receipt.amount')} unit={currency} required />
      <DayField of={form} name="day" label={t('receipt.day')} required />
      <SelectField
        of={form}
        name="source_id"
        label={t('receipt.source')}
        options={sources.map(({ id, name }) => ({ value: String(id), label: name }))}
        required
      />
      {held !== currency && (
        <ExchangeField
          of={form}
          amount={form.values.amount}
          currency={currency}
          to={held}
          day={form.values.day}
          label={t('exchange.arrived')}
        />
      )}
      {short !== null && (
        <SwitchField of={form} name="short" label={t('receipt.short', { sum: money(short, currency) })} help={t('receipt.shortHelp')} />
      )}
      <TextField of={form} name="external_id" label={t('receipt.external')} help={t('receipt.externalHelp')} />
      <TextField of={form} name="note" label={t('receipt.note')} />
      {open.length > 0 && (
        <PartsTable
          list={open.map((one) => ({
            ...one,
            said: one.written_off ? t('status.written_off') : t('dueOn', { day: day(one.due_day) }),
            most: one.open,
            text: edited[one.invoice_uuid] ?? typed(one.amount),
          }))}
          currency={currency}
          most={t('open')}
          onType={(invoice, value) => setEdited((now) => ({ ...now, [invoice]: value }))}
        />
      )}
      {found.data?.more && <p className="ohma-soft">{t('receipt.more')}</p>}
      {says.note}
    </DialogForm>
  )
}
