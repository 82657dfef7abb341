import { Group, Table, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { addAmounts } from '#contract/money/amount.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { PAYOUT_SCHEDULES } from '#contract/money/payment.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { query, useSave } from '#web/api/query.ts'
import { day, integer, money } from '#web/format.ts'
import { askedIn, withAsked, type Asked } from '#web/features/money/invoice/asked-address.ts'
import { SystemName } from '#web/features/money/invoice/invoice-words.tsx'
import { useLeftOut } from '#web/features/money/invoice/payout/use-run-remark.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { ReferencesField } from '#web/kit/fields/references-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { notify } from '#web/notify.ts'
import { useGo } from '#web/shell/access.ts'
import { todayIn } from '#web/zone-time.ts'

type Schedule = (typeof PAYOUT_SCHEDULES)[number]
type Values = {
  period_from: string | null
  period_to: string | null
  minimum: string
  schedule: Schedule | null
  affiliate_uuids: string[]
}
type Preview = CallOutput<typeof invoiceApi.preview>

/** A period, who, and from which sum on; what it would make is shown before anything is made. What was asked stands in the address. */
export function FromAffiliates() {
  const { t } = useTranslation('invoice')
  const go = useGo()
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const asked = askedIn(search)
  const [first, last] = monthBefore(todayIn(useZone()))
  const shown = useQuery({
    ...query(invoiceApi.preview, { body: asked ?? askedOf({ ...NOBODY, period_to: last }) }),
    enabled: asked !== undefined,
  })
  const form = useSaveForm({
    endpoint: invoiceApi.preview,
    initial: asked === undefined ? { ...NOBODY, period_from: first, period_to: last } : { ...asked, minimum: asked.minimum ?? '' },
    toInput: (values: Values) => ({ body: askedOf(values) }),
    invalidate: [],
    savedText: '',
    onSaved: (preview, values) => {
      const body = askedOf(values)
      client.setQueryData(query(invoiceApi.preview, { body }).queryKey, preview)
      setSearch((now) => withAsked(now, body), { replace: true })
    },
  })
  const [key, setKey] = useState(() => crypto.randomUUID())
  const make = useSave(invoiceApi.createFromAffiliates, {
    invalidate: SHOW_INVOICES,
    onSuccess: ({ made, requested }) => {
      setKey(crypto.randomUUID())
      notify.success(t('made.toast', { count: made, number: integer(made) }))
      if (requested > 0) notify.error(t('requested.toast', { count: requested, number: integer(requested) }))
      go('billing')
    },
  })
  const makeAll = async (preview: Preview) => {
    if (asked === undefined) return
    const those = preview.list.filter(({ left_out }) => left_out === null)
    const text = t('make.text', { sums: sumsOf(those), number: integer(those.length) })
    if (
      await confirm({
        title: t('make.ask'),
        text,
        action: t('make', { count: those.length, number: integer(those.length) }),
        careful: true,
      })
    )
      make.mutate({ body: { key, ...asked } })
  }
  return (
    <PageForm of={form} label={t('from.affiliates')} action={t('preview')} wide unfocused onCancel={() => go('billing')}>
      <FormSection title={t('from.affiliates')} text={t('from.affiliatesText')}>
        <DayField of={form} name="period_from" label={t('period_from')} help={t('period_fromHelp')} />
        <DayField of={form} name="period_to" label={t('period_to')} required />
        <ReferencesField
          of={form}
          name="affiliate_uuids"
          label={t('affiliates')}
          endpoint={affiliateApi.list}
          placeholder={t('affiliatesAll')}
        />
        <SelectField
          of={form}
          name="schedule"
          label={t('schedule')}
          help={t('scheduleHelp')}
          unset={t('scheduleAll')}
          options={PAYOUT_SCHEDULES.map((value) => ({ value, label: t(`schedule.${value}`) }))}
        />
        <NumberField of={form} name="minimum" label={t('minimum')} placeholder={t('minimumAgreed')} help={t('minimumHelp')} />
      </FormSection>
      {asked !== undefined && (
        <QueryPage query={shown} failed={t('preview.failed')}>
          {(preview) => <PreviewPanel preview={preview} making={make.isPending} onMake={() => void makeAll(preview)} />}
        </QueryPage>
      )}
    </PageForm>
  )
}

const NOBODY: Values = { period_from: null, period_to: null, minimum: '', schedule: null, affiliate_uuids: [] }

function askedOf(values: Values): Asked {
  return { ...values, period_to: values.period_to ?? '', minimum: values.minimum || null }
}

function PreviewPanel({ preview, making, onMake }: { preview: Preview; making: boolean; onMake: () => void }) {
  const { t } = useTranslation('invoice')
  const today = todayIn(useZone())
  const whyLeftOut = useLeftOut()
  const those = preview.list.filter(({ left_out }) => left_out === null)
  if (preview.list.length === 0)
    return (
      <Panel title={t('preview')}>
        <p className="ohma-soft">{t('preview.none')}</p>
      </Panel>
    )
  return (
    <Panel
      title={t('preview')}
      actions={
        <ReasonButton onClick={onMake} loading={making} why={those.length === 0 ? t('make.nothing') : undefined}>
          {t('make', { count: those.length, number: integer(those.length) })}
        </ReasonButton>
      }
    >
      <Group gap="xs">
        <Text fz={14}>{those.length === 0 ? t('make.nothing') : sumsOf(those)}</Text>
        {preview.more && (
          <Text fz={13} c="dimmed">
            {t('preview.more')}
          </Text>
        )}
      </Group>
      <TableScroll label={t('preview')} minWidth={760} stacked>
        <Table verticalSpacing={6} tabularNums>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('affiliate')}</Table.Th>
              <Table.Th ta="right">{t('conversions')}</Table.Th>
              <Table.Th ta="right">{t('corrections')}</Table.Th>
              <Table.Th ta="right">{t('net')}</Table.Th>
              <Table.Th ta="right">{t('vat')}</Table.Th>
              <Table.Th ta="right">{t('total')}</Table.Th>
              <Table.Th>{t('payment_system')}</Table.Th>
              <Table.Th>{t('due_day')}</Table.Th>
              <Table.Th>{t('leftOut')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {preview.list.map(
              ({
                affiliate,
                currency,
                conversions,
                corrections,
                net,
                vat,
                total,
                later,
                mode,
                payment_system,
                due_day,
                left_out,
                reasons,
                minimum,
                requested,
              }) => {
                // nothing is owed late where nothing is made
                const isLate = left_out === null && due_day < today
                return (
                  <Table.Tr key={`${affiliate.uuid} ${currency}`} c={left_out === null ? undefined : 'dimmed'}>
                    <Table.Td>
                      {affiliate.name}
                      <Text fz={12.5} c="dimmed">
                        {t(`mode.${mode}`)}
                      </Text>
                      {later !== null && (
                        <Text fz={12.5} c="var(--ohma-waiting)">
                          {t('laterChanges', { sum: money(later, currency) })}
                        </Text>
                      )}
                      {left_out === null && requested !== null && (
                        <Text fz={12.5} c="dimmed">
                          {t('answersRequest', { sum: money(requested, currency) })}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td ta="right" data-label={t('conversions')}>
                      {integer(conversions)}
                    </Table.Td>
                    <Table.Td ta="right" data-label={t('corrections')}>
                      {integer(corrections)}
                    </Table.Td>
                    <Table.Td ta="right" data-label={t('net')}>
                      <Money amount={net} currency={currency} column />
                    </Table.Td>
                    <Table.Td ta="right" data-label={t('vat')}>
                      <Money amount={vat} currency={currency} column />
                    </Table.Td>
                    <Table.Td ta="right" data-label={t('total')}>
                      <Money amount={total} currency={currency} column />
                    </Table.Td>
                    <Table.Td data-label={t('payment_system')}>
                      <SystemName code={payment_system} />
                    </Table.Td>
                    <Table.Td data-label={t('due_day')} c={isLate ? 'var(--ohma-bad)' : undefined} style={{ whiteSpace: 'nowrap' }}>
                      {isLate ? t('overdue', { day: day(due_day) }) : day(due_day)}
                    </Table.Td>
                    <Table.Td>{whyLeftOut({ reasons, minimum, currency }).join(', ')}</Table.Td>
                  </Table.Tr>
                )
              },
            )}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Panel>
  )
}

/** Sums by currency, never added across them. */
function sumsOf(rows: readonly { currency: string; total: string }[]): string {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .map(([currency, those]) => money(addAmounts(...those.map(({ total }) => total)), currency))
    .join(' · ')
}

/** The first and the last day of the month before this day's. */
function monthBefore(today: string): [string, string] {
  const first = new Date(`${today.slice(0, 7)}-01T00:00:00Z`)
  const last = new Date(first.getTime() - 86_400_000).toISOString().slice(0, 10)
  return [`${last.slice(0, 7)}-01`, last]
}
