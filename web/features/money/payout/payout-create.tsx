import { Alert, Button, List, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { PAYOUT_FORMATS, paymentSourceApi, payoutApi, type Payee, type PaymentSource, type PayoutFormat } from '#contract/money/payout.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { exactTime, integer, money } from '#web/format.ts'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Money } from '#web/kit/show/money.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { todayIn } from '#web/zone-time.ts'
import { SHOW_FILES } from './payout-words.ts'

/** What the dialog needs to know of an invoice that was chosen for a file. */
export type Chosen = { uuid: string; currency: string; payment_system: string; due_day: string | null }
type PayoutCreateProps = { chosen?: readonly Chosen[]; onClose: () => void; onMade: (uuid: string) => void }

/** Makes a payout file, of all that is due or of `chosen` invoices: what it would pay and whom it leaves out stands below before anything is made. */
export function PayoutCreate({ chosen = [], onClose, onMade }: PayoutCreateProps) {
  const { t } = useTranslation('payout')
  const today = todayIn(useZone())
  const { currency, payment_systems } = useConstants()
  const { data } = useQuery(query(paymentSourceApi.list, {}))
  const sources = (data?.list ?? []).filter(({ active }) => active)
  // the same file, however often it is sent
  const [key] = useState(() => crypto.randomUUID())
  const [first] = chosen
  const invoice_uuids = chosen.map(({ uuid }) => uuid)
  // who is paid although they owe is said by name
  const [owing_uuids, setOwing] = useState<string[]>([])
  const form = useSaveForm({
    endpoint: payoutApi.make,
    initial: {
      format: formatOf(first?.payment_system) as PayoutFormat | null,
      source_id: null as string | null,
      currency: (first?.currency ?? 'EUR') as string | null,
      system: (first?.payment_system.startsWith('usdt') ? first.payment_system : null) as string | null,
      // those that were chosen are meant, also before their day
      due_to: chosen.reduce((latest, { due_day }) => (due_day !== null && due_day > latest ? due_day : latest), today) as string | null,
      execution_day: today as string | null,
      delimiter: ';' as string | null,
    },
    toInput: (values) => ({
      body: {
        key,
        ...askedOf(values),
        source_id: sources.some((one) => String(one.id) === values.source_id && canSend(one, values.format)) ? Number(values.source_id) : 0,
        invoice_uuids,
        owing_uuids,
        execution_day: values.execution_day ?? '',
        delimiter: (values.delimiter ?? ';') as ';', // one of the options below
      },
    }),
    invalidate: SHOW_FILES,
    savedText: t('made'),
    onSaved: ({ uuid }) => onMade(uuid),
  })
  // an account that cannot send in a format is not offered, nor sent where another format was chosen after it
  const fitting = sources.filter((one) => canSend(one, form.values.format))
  // where one account alone is fit, nobody has to choose it
  const held = fitting.filter((one) => one.currency === form.values.currency)
  const only = held.length === 1 ? held[0] : fitting.length === 1 ? fitting[0] : undefined
  const isChosen = fitting.some(({ id }) => String(id) === form.values.source_id)
  const { setFieldValue } = form.form
  useEffect(() => {
    if (!isChosen && only !== undefined) setFieldValue('source_id', String(only.id))
    // only other accounts are a reason
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isChosen, only?.id])
  const values = {
    ...form.values,
    source_id: isChosen ? form.values.source_id : null,
  }
  const isList = values.format === 'usdt' || values.format === 'coinspaid'
  const preview = useQuery({
    ...query(payoutApi.preview, { body: { ...askedOf(values), invoice_uuids, owing_uuids } }, { quiet: true }),
    enabled:
      values.source_id !== null &&
      values.currency !== null &&
      values.due_to !== null &&
      values.format !== null &&
      (!isList || values.system !== null),
    placeholderData: keepPreviousData,
  })
  const left = preview.data?.list.filter(({ left_out }) => left_out !== null).length ?? 0
  return (
    <DialogForm
      of={form}
      title={t('make')}
      text={first === undefined ? t('make.text') : t('make.chosen', { count: chosen.length, number: integer(chosen.length) })}
      action={t('make')}
      size={760}
      why={values.source_id !== null && preview.data?.payments === 0 && preview.error === null ? t('preview.none') : undefined}
      onClose={onClose}
    >
      <SelectField
        of={form}
        name="format"
        label={t('format')}
        options={PAYOUT_FORMATS.map((value) => ({ value, label: t(`format.${value}`) }))}
        required
      />
      {isList && (
        <SelectField
          of={form}
          name="system"
          label={t('network')}
          options={payment_systems.filter(({ value }) => String(value).startsWith('usdt'))}
          required
        />
      )}
      <SelectField
        of={form}
        name="source_id"
        label={t('source')}
        options={fitting.map(({ id, name }) => ({ value: String(id), label: name }))}
        help={data !== undefined && fitting.length === 0 ? t('source.noIban') : undefined}
        required
      />
      <SelectField of={form} name="currency" label={t('currency')} options={currency} required />
      <DayField of={form} name="due_to" label={t('due_to')} help={t('due_toHelp')} required />
      <DayField of={form} name="execution_day" label={t('execution_day')} required />
      {values.format === 'own' && (
        <SelectField
          of={form}
          name="delimiter"
          label={t('delimiter')}
          options={[
            { value: ';', label: t('delimiter.semicolon') },
            { value: ',', label: t('delimiter.comma') },
            { value: '\t', label: t('delimiter.tab') },
          ]}
          required
        />
      )}
      {data !== undefined && values.source_id === null && <p className="ohma-soft">{t('source.first')}</p>}
      {preview.error !== null && <Alert color="red">{Object.values(preview.error.fields)[0] ?? preview.error.message}</Alert>}
      {preview.data !== undefined && preview.error === null && (
        // its table scrolls in it, instead of widening the form
        <div style={{ minWidth: 0 }}>
          <Text fw={600} aria-live="polite">
            {preview.data.payments === 0
              ? t('preview.none')
              : t('preview.sum', { count: preview.data.payments, sum: money(preview.data.amount, values.currency ?? '') })}
          </Text>
          <Text fz={13} className="ohma-soft">
            {[
              t('preview.from', { source: sources.find(({ id }) => String(id) === values.source_id)?.name ?? '' }),
              left > 0 && !preview.data.more && t('preview.left', { count: left, number: integer(left) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
          {!preview.data.proven && preview.data.payments > 0 && (
            <Alert color="var(--ohma-waiting)" my="xs" p="xs">
              {t('preview.unproven', { format: t(`format.${values.format ?? 'own'}`) })}
            </Alert>
          )}
          {preview.data.list.length > 0 && (
            <Payees
              list={preview.data.list}
              currency={values.currency ?? ''}
              onOwing={({ affiliate, left_out }) =>
                setOwing((all) => [...all.filter((one) => one !== affiliate.uuid), ...(left_out === 'owes' ? [affiliate.uuid] : [])])
              }
            />
          )}
          {preview.data.not_taken.length > 0 && <NotTaken list={preview.data.not_taken} />}
          {preview.data.cut && <p className="ohma-soft">{t('preview.cut')}</p>}
          {preview.data.more && <p className="ohma-soft">{t('preview.more')}</p>}
        </div>
      )}
    </DialogForm>
  )
}

type Values = {
  format: PayoutFormat | null
  source_id: string | null
  currency: string | null
  system: string | null
  due_to: string | null
}

function askedOf({ format, source_id, currency, system, due_to }: Values) {
  const isList = format === 'usdt' || format === 'coinspaid'
  return {
    format: format ?? ('sepa' as const),
    source_id: Number(source_id ?? 0),
    currency: currency ?? '',
    due_to: due_to ?? '',
    systems: isList && system !== null ? [system] : [],
  }
}

/** Whether payments in a format can leave from an account: banks ask by whose IBAN. */
function canSend({ kind, iban }: PaymentSource, format: PayoutFormat | null): boolean {
  return format !== 'sepa' || (kind === 'bank' && iban !== '')
}

/** The format an invoice is most likely paid by. */
function formatOf(system: string | undefined): PayoutFormat {
  if (system === undefined) return 'sepa'
  if (system.startsWith('usdt')) return 'usdt'
  return PAYOUT_FORMATS.find((format) => format === system) ?? 'own'
}

/** Chosen invoices the file does not pay, by reason. */
function NotTaken({ list }: { list: CallOutput<typeof payoutApi.preview>['not_taken'] }) {
  const { t } = useTranslation('payout')
  return (
    <>
      <Text fw={600} mt="sm">
        {t('notTaken', { count: list.length, number: integer(list.length) })}
      </Text>
      <List size="sm" mah={200} style={{ overflowY: 'auto' }} tabIndex={0}>
        {[...Map.groupBy(list, ({ reason }) => reason)].map(([reason, of]) => (
          <List.Item key={reason}>
            {t(`notTaken.${reason}`)} ({integer(of.length)}):{' '}
            <span className="ohma-soft">
              {of.map(({ id, number, affiliate }) => `${number ?? t('notTaken.draftName', { id })} · ${affiliate}`).join(', ')}
            </span>
          </List.Item>
        ))}
      </List>
    </>
  )
}

type PayeesProps = {
  list: readonly Payee[]
  currency: string
  /** One who owes is to be paid even so, or no longer. */
  onOwing: (one: Payee) => void
}

function Payees({ list, currency, onOwing }: PayeesProps) {
  const { t } = useTranslation('payout')
  const zone = useZone()
  const { payment_systems } = useConstants()
  const why = ({ left_out, told, owed }: Payee) => {
    const sum = owed === null ? '' : money(owed, currency)
    if (left_out === null)
      return [told !== '' && t('writtenAs', { name: told }), owed !== null && t('owing', { sum })].filter(Boolean).join(' · ')
    if (left_out === 'owes') return t('left.owes', { sum })
    if (left_out === 'method_locked') return t('left.method_locked', { time: exactTime(told, zone) })
    return [t(`left.${left_out}` as 'left.no_method'), told].filter(Boolean).join(': ')
  }
  return (
    <TableScroll label={t('make')} minWidth={480} maxHeight={280}>
      <Table verticalSpacing={5} horizontalSpacing={8} tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('affiliate')}</Table.Th>
            <Table.Th>{t('method')}</Table.Th>
            <Table.Th ta="right">{t('invoices')}</Table.Th>
            <Table.Th ta="right">{t('amount')}</Table.Th>
            <Table.Th>{t('remark')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.map((one) => (
            <Table.Tr key={`${one.affiliate.uuid} ${one.system} ${one.left_out}`}>
              <Table.Td>{one.affiliate.name}</Table.Td>
              <Table.Td>
                {[payment_systems.find(({ value }) => value === one.system)?.label ?? one.system, one.masked].filter(Boolean).join(' · ')}
              </Table.Td>
              <Table.Td ta="right">{one.invoices}</Table.Td>
              <Table.Td ta="right" td={one.left_out === null ? undefined : 'line-through'}>
                <Money amount={one.amount} currency={currency} column />
              </Table.Td>
              <Table.Td c={one.left_out === null ? 'dimmed' : 'var(--ohma-bad)'}>
                {why(one)}
                {one.owed !== null && (
                  <Button
                    display="block"
                    size="compact-xs"
                    variant="default"
                    mt={4}
                    aria-label={`${one.affiliate.name}: ${t(one.left_out === 'owes' ? 'owing.pay' : 'owing.leave')}`}
                    onClick={() => onOwing(one)}
                  >
                    {t(one.left_out === 'owes' ? 'owing.pay' : 'owing.leave')}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}
