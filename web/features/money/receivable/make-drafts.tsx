import { Anchor, Stack, Table, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useSearchParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { addAmounts } from '#contract/money/amount.ts'
import { advertiserInvoiceApi, MOST_AT_ONCE } from '#contract/money/advertiser-invoice.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer, money } from '#web/format.ts'
import { SHOW_RECEIVABLES } from '#web/features/money/receivable/receivable-words.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { notify } from '#web/notify.ts'
import { screenHref, useGo } from '#web/shell/access.ts'
import { todayIn } from '#web/zone-time.ts'

type Preview = CallOutput<typeof advertiserInvoiceApi.preview>
type Asked = {
  period_from: string | null
  period_to: string
  minimum: string | null
  advertiser_uuids: string[]
  offer_uuids: string[]
  currency: string[]
}

type Values = {
  advertiser_uuid: string | null
  offer_uuid: string | null
  period_from: string | null
  period_to: string | null
  minimum: string
}

/** A period, whose and of which offer; what invoices it would make is shown before any is made. */
export function MakeDrafts() {
  const { t } = useTranslation('receivable')
  const go = useGo()
  const [search, setSearch] = useSearchParams()
  const client = useQueryClient()
  const currency = search.get('currency')
  const today = todayIn(useZone())
  const [first, last] = monthBefore(today)
  const [key, setKey] = useState(() => crypto.randomUUID())
  const askedOf = ({ period_from, period_to, minimum, advertiser_uuid, offer_uuid }: Values): Asked => ({
    period_from,
    minimum: minimum || null,
    period_to: period_to ?? '',
    advertiser_uuids: advertiser_uuid === null ? [] : [advertiser_uuid],
    offer_uuids: offer_uuid === null ? [] : [offer_uuid],
    currency: currency === null ? [] : [currency],
  })
  const values = valuesIn(search)
  const asked = values === undefined ? undefined : askedOf(values)
  // what is asked for stands in the address: it can be sent to somebody, and stays over a reload
  const shown = useQuery({ ...query(advertiserInvoiceApi.preview, { body: asked ?? askedOf(NOTHING) }), enabled: asked !== undefined })
  const form = useSaveForm({
    endpoint: advertiserInvoiceApi.preview,
    initial: values ?? {
      advertiser_uuid: search.get('advertiser'),
      offer_uuid: null as string | null,
      // asked for from somebody's balance: all that is owed until now
      period_from: search.has('advertiser') ? null : (first as string | null),
      period_to: (search.has('advertiser') ? today : last) as string | null,
      minimum: '',
    },
    toInput: (typed: Values) => ({ body: askedOf(typed) }),
    invalidate: [],
    savedText: '',
    onSaved: (preview, typed) => {
      client.setQueryData(query(advertiserInvoiceApi.preview, { body: askedOf(typed) }).queryKey, preview)
      setSearch((now) => withValues(now, typed), { replace: true })
    },
  })
  const make = useSave(advertiserInvoiceApi.create, {
    invalidate: SHOW_RECEIVABLES,
    onSuccess: ({ invoices }) => {
      setKey(crypto.randomUUID())
      notify.success(t('made', { count: invoices.length, number: integer(invoices.length) }))
      const [only] = invoices
      if (invoices.length === 1 && only) go('invoiceDetail', { uuid: only.uuid })
      else setSearch(new URLSearchParams({ view: 'advertisers', part: 'invoices', status: 'draft' }))
    },
  })
  const makeAll = async (preview: Preview) => {
    if (asked === undefined) return
    const those = chosenOf(preview)
    const text = t('make.text', { number: integer(those.length), sums: sumsOf(those) })
    if (!(await confirm({ title: t('make.ask'), text, action: t('make', { number: integer(those.length) }), careful: true }))) return
    const { period_from, period_to, minimum, offer_uuids } = asked
    const rows = those.map((row) => ({ advertiser_uuid: row.advertiser.uuid, currency: row.currency }))
    make.mutate({ body: { key, period_from, period_to, minimum, offer_uuids, rows } })
  }
  return (
    <Stack>
      <PageForm
        of={form}
        label={t('part.new')}
        action={t('preview')}
        onCancel={() => setSearch(new URLSearchParams({ view: 'advertisers' }))}
      >
        <FormSection title={t('part.new')} text={t('new.text')}>
          <ReferenceField
            of={form}
            name="advertiser_uuid"
            label={t('advertiser')}
            endpoint={advertiserApi.options}
            placeholder={t('all')}
          />
          <ReferenceField of={form} name="offer_uuid" label={t('offer')} endpoint={offerApi.options} placeholder={t('all')} />
          <DayField of={form} name="period_from" label={t('period_from')} help={t('period_fromHelp')} />
          <DayField of={form} name="period_to" label={t('period_to')} required />
          <NumberField of={form} name="minimum" label={t('minimum')} placeholder={t('minimumAgreed')} help={t('minimumHelp')} />
        </FormSection>
      </PageForm>
      {asked !== undefined && (
        <QueryPage query={shown} failed={t('preview.failed')}>
          {(preview) => <PreviewPanel preview={preview} making={make.isPending} onMake={() => void makeAll(preview)} />}
        </QueryPage>
      )}
    </Stack>
  )
}

const NOTHING: Values = { advertiser_uuid: null, offer_uuid: null, period_from: null, period_to: null, minimum: '' }

/** What an address asks for; undefined where it names no last day, or none that can be asked for. */
function valuesIn(search: URLSearchParams): Values | undefined {
  const values = {
    advertiser_uuid: search.get('advertiser'),
    offer_uuid: search.get('offer'),
    period_from: search.get('from'),
    period_to: search.get('to'),
    minimum: search.get('minimum') ?? '',
  }
  const asked = advertiserInvoiceApi.preview.body.safeParse({
    ...values,
    minimum: values.minimum || null,
    advertiser_uuids: [values.advertiser_uuid].filter((one) => one !== null),
    offer_uuids: [values.offer_uuid].filter((one) => one !== null),
  })
  return asked.success ? values : undefined
}

function withValues(search: URLSearchParams, { advertiser_uuid, offer_uuid, period_from, period_to, minimum }: Values): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries({
    advertiser: advertiser_uuid,
    offer: offer_uuid,
    from: period_from,
    to: period_to,
    minimum,
  })) {
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

/** What is made of a preview: what is above nothing, and not more than one call takes. */
function chosenOf({ list }: Preview) {
  return list.filter(({ left_out }) => left_out === null).slice(0, MOST_AT_ONCE)
}

function PreviewPanel({ preview, making, onMake }: { preview: Preview; making: boolean; onMake: () => void }) {
  const { t } = useTranslation('receivable')
  const those = chosenOf(preview)
  if (preview.list.length === 0)
    return (
      <Panel title={t('preview')}>
        <p className="ohma-soft">{t('preview.none')}</p>
      </Panel>
    )
  return (
    <Panel
      title={t('preview')}
      text={sumsOf(those)}
      actions={
        <ReasonButton onClick={onMake} loading={making} why={those.length === 0 ? t('make.nothing') : undefined}>
          {t('make', { number: integer(those.length) })}
        </ReasonButton>
      }
    >
      <TableScroll label={t('preview')} minWidth={560} stacked>
        <Table verticalSpacing={6} tabularNums>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('advertiser')}</Table.Th>
              <Table.Th ta="right">{t('conversions')}</Table.Th>
              <Table.Th ta="right">{t('corrections')}</Table.Th>
              <Table.Th ta="right">{t('net')}</Table.Th>
              <Table.Th ta="right">{t('total')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {preview.list.map((row) => (
              <Table.Tr key={`${row.advertiser.uuid} ${row.currency}`}>
                <Table.Td>
                  <Anchor component={Link} fz="inherit" to={screenHref('advertiserEdit', { uuid: row.advertiser.uuid })}>
                    {row.advertiser.name}
                  </Anchor>
                  {row.left_out !== null && (
                    <Text fz={12.5} c="var(--ohma-bad)">
                      {row.left_out === 'below_minimum' && Number(row.minimum) !== 0
                        ? t('leftOut.below_minimumOf', { sum: money(row.minimum, row.currency) })
                        : t(`leftOut.${row.left_out}`)}
                    </Text>
                  )}
                  {row.later !== null && (
                    <Text fz={12.5} c="var(--ohma-waiting)">
                      {t('laterChanges', { sum: money(row.later, row.currency) })}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="right" data-label={t('conversions')}>
                  {integer(row.conversions)}
                </Table.Td>
                <Table.Td ta="right" data-label={t('corrections')}>
                  {integer(row.corrections + row.adjustments)}
                </Table.Td>
                <Table.Td ta="right" data-label={t('net')}>
                  <Money amount={row.net} currency={row.currency} column />
                </Table.Td>
                <Table.Td ta="right" data-label={t('total')}>
                  <Money amount={row.total} currency={row.currency} column />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Panel>
  )
}

function sumsOf(rows: readonly { currency: string; total: string }[]): string {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .map(([currency, those]) => money(addAmounts('0', ...those.map(({ total }) => total)), currency))
    .join(' · ')
}

/** The first and the last day of the month before this day's. */
function monthBefore(today: string): [string, string] {
  const first = new Date(`${today.slice(0, 7)}-01T00:00:00Z`)
  const last = new Date(first.getTime() - 86_400_000).toISOString().slice(0, 10)
  return [`${last.slice(0, 7)}-01`, last]
}
