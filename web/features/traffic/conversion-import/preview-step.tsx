import { Button, Group, Loader, Select, Stack, Switch, Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import {
  CONVERSION_IMPORT_FIELDS,
  CONVERSION_ROW_STATES,
  conversionImportApi,
  type ConversionImportDetail,
  type ConversionImportField,
  type ConversionMapping,
  type ImportPlan,
  type ImportWord,
} from '#contract/traffic/conversion-import.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { REPORT_DATES } from '#contract/money/report-reading.ts'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { ColumnMapping } from '#web/import/column-mapping.tsx'
import { ImportCounts } from '#web/import/import-counts.tsx'
import { WordTable } from '#web/import/word-table.tsx'
import { ReferenceSelect } from '#web/kit/fields/reference-select.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { Money } from '#web/kit/show/money.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { useRowReason } from '#web/row-reason.ts'
import { ConversionStatusBadge } from '#web/conversion-status.tsx'
import classes from '#web/features/traffic/conversion-import/import.module.css'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

type PreviewStepProps = { detail: ConversionImportDetail; onBack: () => void }

/** Which column is what, and beneath it what the file would change by that; then begins. */
export function PreviewStep({ detail, onBack }: PreviewStepProps) {
  const { t } = useTranslation('conversionImport')
  const { columns, samples } = detail
  const [mapping, setMapping] = useState<ConversionMapping>(detail.mapping)
  const needs = needOf(mapping)
  return (
    <Stack>
      <Text size="sm">{t('read', { file: detail.file_name || t('noName'), rows: integer(detail.rows) })}</Text>
      <ColumnMapping
        fields={CONVERSION_IMPORT_FIELDS.map((field) => ({ field, label: t(`field.${field}`) }))}
        columns={columns}
        samples={samples}
        mapping={mapping}
        onChange={setMapping}
        words={{ legend: t('columns'), none: t('none'), unnamed: (number) => t('unnamed', { number }) }}
      />
      {needs === null ? (
        <Preview detail={detail} mapping={mapping} onBack={onBack} />
      ) : (
        <>
          <Text size="sm" c="red" role="status">
            {t(needs)}
          </Text>
          <div>
            <Button variant="default" onClick={onBack}>
              {t('otherFile')}
            </Button>
          </div>
        </>
      )}
    </Stack>
  )
}

/** What is missing, if anything: whose a row is, or what became of it. */
function needOf(mapping: ConversionMapping): 'needKey' | 'needWhat' | null {
  const has = (fields: readonly ConversionImportField[]) => fields.some((field) => mapping[field] !== undefined)
  if (!has(['conversion_id', 'click_id', 'txn_id'])) return 'needKey'
  return has(['status', 'amount', 'goal']) ? null : 'needWhat'
}

function Preview({ detail, mapping, onBack }: PreviewStepProps & { mapping: ConversionMapping }) {
  const { t } = useTranslation('conversionImport')
  const { t: ofConversion } = useTranslation('conversion')
  const reasonOf = useRowReason()
  const { uuid } = detail
  const [said, setSaid] = useState<ImportWord[]>([])
  const [isSale, setIsSale] = useState(false)
  const [dates, setDates] = useState<ImportPlan['dates']>('auto')
  const [owner, setOwner] = useState<ReferenceRow | null>(null)
  const body = { mapping, advertiser_uuid: owner?.uuid ?? null, words: said, amount_is_sale: isSale, dates }
  const chosen = JSON.stringify(body)
  // words are said one after the other, and each preview reads the whole file
  const [settled] = useDebouncedValue(chosen, 600)
  const asked = { params: { uuid }, body: JSON.parse(settled) as typeof body } // as it was written
  const found = useQuery({ ...query(conversionImportApi.preview, asked, { quiet: true }), staleTime: 0, placeholderData: keepPreviousData })
  // what was chosen stays in sight where one preview fails
  const [last, setLast] = useState(found.data)
  if (found.data !== undefined && found.data !== last) setLast(found.data)
  const isStale = found.isPlaceholderData || found.isError || settled !== chosen
  const start = useSave(conversionImportApi.start, { invalidate: [conversionImportApi.get, conversionImportApi.list] })
  const told = found.data ?? last
  const failure = found.isError && <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
  if (told === undefined && failure) return failure
  if (told === undefined)
    return (
      <Group role="status">
        <Loader size={18} /> {t('previewing')}
      </Group>
    )
  const {
    counts,
    noted,
    invoiced,
    advertisers,
    others,
    left_out: leftOut,
    dates: readAs,
    statuses,
    money,
    refused,
    words,
    amount_earned: isEarned,
  } = told
  const will = (counts.created ?? 0) + (counts.changed ?? 0) + (counts.amount ?? 0)
  const more = (counts.refused ?? 0) - refused.length
  const listOf = (some: typeof advertisers) =>
    some
      .map(({ advertiser, rows }) => `${advertiser.name} · #${advertiser.id}: ${t('rows', { count: rows, number: integer(rows) })}`)
      .join('; ')
  return (
    <Stack aria-busy={found.isFetching || settled !== chosen} className={isStale && !found.isError ? classes.stale : undefined}>
      {failure}
      <ReferenceSelect
        label={t('owner')}
        description={t('owner.help')}
        endpoint={advertiserApi.list}
        value={owner?.uuid ?? null}
        chosen={owner}
        onChoose={(one) => setOwner(one)}
        clearable
        maw={420}
      />
      {words.length > 0 && (
        <WordTable
          legend={t('words')}
          words={words.map(({ word, rows, means, guess, taught, may }) => ({
            word,
            lines: t('rows', { count: rows, number: integer(rows) }),
            found: means,
            guess,
            may,
            note:
              taught === null ? undefined : (
                <>
                  {/* the word of one advertiser is none of another's */}
                  {means === null && `${t('words.taughtPart')} `}
                  {taught.by === '' ? t('words.taught') : t('words.taughtBy', { name: taught.by })} <Moment at={taught.at} />
                </>
              ),
          }))}
          said={new Map(said.map(({ word, means }) => [word.toLowerCase(), means]))}
          options={CONVERSION_STATUSES.map((value) => ({ value, label: ofConversion(`status.${value}`) }))}
          ask={t('words.ask')}
          nameOf={(word) => t('words.of', { word })}
          onTake={(guesses) => setSaid([...said, ...guesses])}
          take={(count) => t('words.take', { count, number: integer(count) })}
          onMean={(word, means) => setSaid([...said.filter((one) => one.word.toLowerCase() !== word.toLowerCase()), { word, means }])}
        />
      )}
      {isEarned && (
        <Switch
          checked={isSale}
          onChange={(event) => setIsSale(event.currentTarget.checked)}
          label={t('isSale', { column: detail.columns[mapping.amount ?? -1] ?? '' })}
          description={t('isSale.help')}
        />
      )}
      {mapping.date !== undefined && (
        <Select
          label={t('dates')}
          description={t('dates.help')}
          error={readAs === null ? t('dates.ask') : undefined}
          data={(['auto', ...REPORT_DATES] as const).map((value) => ({ value, label: t(`dates.${value}`) }))}
          value={dates}
          onChange={(value) => setDates(REPORT_DATES.find((one) => one === value) ?? 'auto')}
          allowDeselect={false}
          checkIconPosition="right"
          maw={420}
        />
      )}
      {leftOut.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('leftOut', { columns: leftOut.map((name) => name || t('unnamed', { number: detail.columns.indexOf(name) + 1 })).join(', ') })}
        </Text>
      )}
      <Text fw={600}>{t('preview')}</Text>
      <ImportCounts
        of={CONVERSION_ROW_STATES.filter((state) => (counts[state] ?? 0) > 0).map((state) => ({
          label: t(`count.${state as 'refused'}`),
          value: counts[state] ?? 0,
        }))}
      />
      {advertisers.length > 0 && (
        <Text size="sm" c={advertisers.length > 1 ? 'var(--ohma-waiting)' : undefined}>
          {t('about', { count: advertisers.length })} {listOf(advertisers)}
        </Text>
      )}
      {others[0] !== undefined && (
        <Group gap="6px 14px">
          <Text size="sm" c="var(--ohma-waiting)">
            {t('others')} {listOf(others)}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => setOwner(others[0]?.advertiser ?? null)}>
            {t('others.take', { name: others[0].advertiser.name })}
          </Button>
        </Group>
      )}
      {invoiced > 0 && <Text size="sm">{t('invoiced', { count: invoiced, number: integer(invoiced) })}</Text>}
      {noted > 0 && <Text size="sm">{t('noted', { count: noted, number: integer(noted) })}</Text>}
      {will === 0 && <Text>{t('nothing')}</Text>}
      {will > 0 && (
        <Group gap="6px 14px">
          {Object.entries(statuses).map(([status, count]) => (
            <span key={status}>
              <ConversionStatusBadge status={status as keyof typeof statuses} /> <span className="ohma-number">{integer(count)}</span>
            </span>
          ))}
        </Group>
      )}
      {money.length > 0 && (
        <Table className={classes.money} withRowBorders={false} verticalSpacing={2}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('field.currency')}</Table.Th>
              <Table.Th>{t('payout')}</Table.Th>
              <Table.Th>{t('revenue')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {money.map(({ currency, payout, revenue }) => (
              <Table.Tr key={currency}>
                <Table.Th scope="row">{currency}</Table.Th>
                <Table.Td className="ohma-number">
                  <Money amount={payout} currency={currency} />
                </Table.Td>
                <Table.Td className="ohma-number">
                  <Money amount={revenue} currency={currency} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {refused.length > 0 && (
        <div>
          <Text fw={600} mb={6}>
            {t('refused')}
          </Text>
          <TableScroll label={t('refused')} minWidth={0} maxHeight={280} stacked>
            <Table verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={70}>{t('row')}</Table.Th>
                  <Table.Th>{t('why')}</Table.Th>
                  <Table.Th>{t('what')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {refused.map(({ line, reason, cells }) => (
                  <Table.Tr key={line}>
                    <Table.Td className="ohma-number" data-label={t('row')}>
                      {integer(line)}
                    </Table.Td>
                    <Table.Td data-label={t('why')}>{reasonOf(reason)}</Table.Td>
                    <Table.Td className={classes.cells} data-label={t('what')} title={cells.filter(Boolean).join(' · ')}>
                      {cells.filter(Boolean).join(' · ')}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </TableScroll>
          {more > 0 && (
            <Text size="sm" c="dimmed">
              {t('andMore', { count: more, number: integer(more) })}
            </Text>
          )}
        </div>
      )}
      <Group justify="space-between">
        <Button variant="default" onClick={onBack}>
          {t('otherFile')}
        </Button>
        <Button
          disabled={will === 0 || readAs === null || isStale}
          loading={start.isPending}
          onClick={() => start.mutate({ params: { uuid }, body })}
        >
          {t('start', { count: will, number: integer(will) })}
        </Button>
      </Group>
    </Stack>
  )
}
