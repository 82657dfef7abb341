import { Group, MultiSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import type { LandingRow, OfferValues, RuleValues } from '#web/features/offers/offer/form/offer-values.ts'
import { useDimensionOptions } from '#web/features/offers/offer/form/targeting-editor.tsx'
import { fieldText } from '#web/i18n/language.ts'
import { bestMatches } from '#web/kit/fields/best-match.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { useOptions } from '#web/kit/fields/use-options.ts'
import { Flag } from '#web/kit/show/flag.tsx'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

type RuleConditionsProps = FieldProps<OfferValues> & {
  /** The path of the rows this one is one of. */
  rows: string
  landings: readonly Pick<LandingRow, 'uuid' | 'name'>[]
}

/** The lists of a row and what each is called, in the order in which they are offered. */
const LISTS = [
  { list: 'landing_uuids', dimension: 'landing' },
  { list: 'devices', dimension: 'device' },
  { list: 'oses', dimension: 'os' },
  { list: 'geos', dimension: 'geo' },
  { list: 'affiliate_uuids', dimension: 'affiliate' },
] as const
type List = (typeof LISTS)[number]['list']

/** One condition: its value in the box is unique across the lists. */
type Condition = { value: string; label: string; list: List; code: string }

/** Whom and where a payout row is for, in one box: what is typed is found among landings, devices, systems and countries, then affiliates. */
export const RuleConditions = drawnAlone(function RuleConditions({ rows, landings, ...field }: RuleConditionsProps) {
  const { t } = useTranslation('offer')
  const { t: word } = useTranslation('dimension')
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState(false)
  const rule = valueAt<OfferValues, RuleValues>(field.of, field.name)
  const { options: found, loading } = useOptions(affiliateApi.list, search, opened)
  const { device, os, geo } = useDimensionOptions()

  const affiliates = [...rule.affiliate_uuids, ...found.filter(({ uuid }) => !rule.affiliate_uuids.some((one) => one.uuid === uuid))]
  const offered: Record<List, readonly { value: string; label: string }[]> = {
    landing_uuids: landings.map(({ uuid, name }) => ({ value: uuid, label: name })),
    devices: device,
    oses: os,
    geos: geo,
    affiliate_uuids: affiliates.map(({ uuid, id, name }) => ({ value: uuid, label: name === '' ? `#${id}` : `${name} · ${id}` })),
  }
  const chosen: Record<List, readonly string[]> = { ...rule, affiliate_uuids: rule.affiliate_uuids.map(({ uuid }) => uuid) }
  // while the list is closed only the names of what is chosen are needed
  const all = LISTS.flatMap(({ list }) =>
    offered[list]
      .filter(({ value }) => opened || chosen[list].includes(value))
      .map(({ value: code, label }): Condition => ({ value: `${list}:${code}`, label, list, code })),
  )

  const change = (next: readonly string[]) => {
    const codesOf = (list: List) => next.flatMap((value) => (value.startsWith(`${list}:`) ? [value.slice(list.length + 1)] : []))
    changeAt(field.of, field.name, {
      ...rule,
      landing_uuids: codesOf('landing_uuids'),
      devices: codesOf('devices'),
      oses: codesOf('oses'),
      geos: codesOf('geos'),
      affiliate_uuids: affiliates.filter(({ uuid }) => codesOf('affiliate_uuids').includes(uuid)),
    })
    forgetRefusals(field.of, rows)
  }

  const error = Object.entries(field.of.form.errors).find(
    ([name]) => name === field.name || LISTS.some(({ list }) => name.startsWith(`${field.name}.${list}`)),
  )?.[1]
  // the box stands for the lists behind it
  for (const { list, dimension } of LISTS) field.of.labels.set(`${field.name}.${list}`, `${field.label}, ${word(dimension)}`)
  const picked = LISTS.flatMap(({ list }) => chosen[list].map((code) => `${list}:${code}`))
  const open = all.filter(({ value }) => !picked.includes(value))
  const fitting = bestMatches(
    open.filter(({ list }) => list !== 'affiliate_uuids'),
    search,
    ({ code, label }) => ({ value: code, label }),
  )
  // what the server adds later must not push away what is about to be chosen
  const shown = [...fitting, ...open.filter(({ list }) => list === 'affiliate_uuids')]
  return (
    <MultiSelect
      {...fieldProps(field)}
      label={t('rule.applies')}
      error={typeof error === 'string' ? fieldText(error) : undefined}
      className={classes.conditions}
      classNames={{ pillsList: classes.pills }}
      data={all}
      filter={() => shown}
      renderOption={({ option }) => {
        const { list, code, label } = option as Condition // the data above
        const dimension = LISTS.find((one) => one.list === list)?.dimension ?? 'geo'
        return (
          <Group gap={10} wrap="nowrap" w="100%">
            {list === 'geos' && <Flag country={code} />}
            <span className={classes.found}>{label}</span>
            <span className={classes.kind}>{word(dimension)}</span>
          </Group>
        )
      }}
      placeholder={picked.length === 0 ? t('rule.everybodyHint') : undefined}
      searchable
      openOnFocus={false}
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={search.trim() !== '' && shown.length > 0}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      nothingFoundMessage={loading ? t('rule.searching') : undefined}
      maxDropdownHeight={280}
      value={picked}
      onChange={change}
    />
  )
})

/** Rows are refused because of others: once one of them changes, or goes, what was said may be true no more. */
export function forgetRefusals(of: FieldProps<OfferValues>['of'], rows: string): void {
  of.form.setErrors((errors) => Object.fromEntries(Object.entries(errors).filter(([name]) => !isOfRow(name, rows))))
}

/** Whether an error is one of a row's conditions, not of its amounts. */
function isOfRow(name: string, rows: string): boolean {
  const [position = '', list] = name.startsWith(`${rows}.`) ? name.slice(rows.length + 1).split('.') : []
  return position !== '' && (list === undefined || LISTS.some((one) => one.list === list))
}
