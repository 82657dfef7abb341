import { Button, Checkbox, Group, Select, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ADVERTISER_STATUSES } from '#contract/people/advertiser.ts'
import { AFFILIATE_STATUSES } from '#contract/people/affiliate.ts'
import {
  IMPORT_FIELDS,
  NEEDED_FIELDS,
  type ImportDetail,
  type ImportField,
  type ImportOptions,
  type Mapping,
} from '#contract/people/import.ts'
import { managerApi } from '#contract/people/manager.ts'
import { useConstants } from '#web/api/constants.ts'
import { integer } from '#web/format.ts'
import type { Plan } from '#web/features/people/import/plan.ts'
import { useFieldNames } from '#web/features/people/import/use-field-names.ts'
import { useOptions } from '#web/kit/fields/use-options.ts'
import classes from '#web/features/people/import/import.module.css'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

type ColumnsStepProps = { detail: ImportDetail; onBack: () => void; onNext: (plan: Plan) => void }

/** Says which column is what, and what holds for rows that say nothing of it. */
export function ColumnsStep({ detail, onBack, onNext }: ColumnsStepProps) {
  const { t } = useTranslation('import')
  const { kind, columns, samples } = detail
  const nameOf = useFieldNames(kind)
  const [mapping, setMapping] = useState<Mapping>(detail.mapping)
  const [options, setOptions] = useState(detail.options)
  const fields: readonly ImportField[] = IMPORT_FIELDS[kind]
  const missing = NEEDED_FIELDS[kind].filter((field) => mapping[field] === undefined)
  const ignored = columns.length - Object.keys(mapping).length

  /** Each field once and each column once: the column that had it gives it up. */
  const choose = (place: number, field: ImportField | null) => {
    const left = Object.entries(mapping).filter(([name, at]) => at !== place && name !== field)
    setMapping({ ...(Object.fromEntries(left) as Mapping), ...(field !== null && { [field]: place }) }) // entries of a mapping
  }
  const fieldAt = (place: number) => fields.find((field) => mapping[field] === place) ?? null
  return (
    <Stack>
      <Text size="sm">
        {t('columns.text', { file: detail.file_name, rows: integer(detail.rows), encoding: detail.encoding.toUpperCase() })}{' '}
        {t(`delimiter.${detail.delimiter}`)}.
      </Text>
      <TableScroll label={t('step.columns')} minWidth={560}>
        <Table className={classes.table} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('column')}</Table.Th>
              <Table.Th>{t('examples')}</Table.Th>
              <Table.Th w={240}>{t('becomes')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {columns.map((column, place) => (
              // columns of a file keep their places
              // oxlint-disable-next-line react/no-array-index-key
              <Table.Tr key={place}>
                <Table.Th scope="row">{column || t('unnamed', { number: place + 1 })}</Table.Th>
                <Table.Td className={classes.examples}>
                  {samples
                    .map((cells) => cells[place])
                    .filter(Boolean)
                    .join(' · ')}
                </Table.Td>
                <Table.Td>
                  <Select
                    aria-label={t('becomesOf', { column: column || place + 1 })}
                    data={fields.map((value) => ({ value, label: nameOf(value) }))}
                    placeholder={t('ignored')}
                    clearable
                    searchable
                    value={fieldAt(place)}
                    onChange={(value) => choose(place, fields.find((field) => field === value) ?? null)}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
      {ignored > 0 && (
        <Text size="sm" c="dimmed">
          {t('ignoredCount', { count: ignored })}
        </Text>
      )}
      <Options detail={detail} mapping={mapping} options={options} onChange={setOptions} />
      {missing.length > 0 && (
        <Text size="sm" c="red" role="status">
          {t('missing', { fields: missing.map(nameOf).join(', ') })}
        </Text>
      )}
      <Group justify="space-between">
        <Button variant="default" onClick={onBack}>
          {t('otherFile')}
        </Button>
        <Button disabled={missing.length > 0} onClick={() => onNext({ mapping, options })}>
          {t('toPreview')}
        </Button>
      </Group>
    </Stack>
  )
}

/** What may be replaced where a row names one nobody knows. */
const REPLACED = ['manager', 'time_zone'] as const

type OptionsProps = { detail: ImportDetail; mapping: Mapping; options: ImportOptions; onChange: (options: ImportOptions) => void }

function Options({ detail: { kind }, mapping, options, onChange }: OptionsProps) {
  const { t } = useTranslation('import')
  const { t: person } = useTranslation(kind)
  const { currency } = useConstants()
  const [search, setSearch] = useState('')
  const managers = useOptions(managerApi.options, search.includes(' · ') ? '' : search)
  const statuses = kind === 'affiliate' ? AFFILIATE_STATUSES : ADVERTISER_STATUSES
  return (
    <fieldset className={classes.options}>
      <legend>{t('otherwise')}</legend>
      <div className={classes.fields}>
        <Select
          label={t('field.status')}
          data={statuses.map((value) => ({ value, label: person(`status.${value}` as 'status.active') }))}
          allowDeselect={false}
          value={options.status}
          onChange={(value) => onChange({ ...options, status: statuses.find((one) => one === value) ?? 'active' })}
        />
        <Select
          label={t('field.currency')}
          data={currency}
          searchable
          allowDeselect={false}
          value={options.currency}
          onChange={(value) => onChange({ ...options, currency: value ?? 'USD' })}
        />
        <Select
          label={t('field.manager')}
          data={managers.options.map(({ uuid, name, id }) => ({ value: uuid, label: `${name} · ${id}` }))}
          filter={({ options: all }) => all}
          placeholder={t('noManager')}
          searchable
          clearable
          searchValue={search}
          onSearchChange={setSearch}
          value={options.manager_uuid}
          onChange={(value) => onChange({ ...options, manager_uuid: value })}
        />
      </div>
      {REPLACED.filter((field) => mapping[field] !== undefined).map((field) => (
        <Checkbox
          key={field}
          mt="sm"
          label={t(`replaced.${field}`)}
          checked={options.replaced.includes(field)}
          onChange={(event) => {
            const others = options.replaced.filter((one) => one !== field)
            onChange({ ...options, replaced: event.currentTarget.checked ? [...others, field] : others })
          }}
        />
      ))}
      {kind === 'affiliate' && (
        <Checkbox
          mt="sm"
          label={t('mailLinks')}
          description={t('mailLinksHelp')}
          checked={options.mail_links}
          onChange={(event) => onChange({ ...options, mail_links: event.currentTarget.checked })}
        />
      )}
    </fieldset>
  )
}
