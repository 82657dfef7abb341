import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { leadListApi, type LeadList } from '#contract/leads/lead-list.ts'
import { query } from '#web/api/query.ts'
import { countryName, integer } from '#web/format.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

/** Moves the people of some countries, or a share of all, to a new list. */
export function SplitLeadList({ of: list, onClose }: { of: Pick<LeadList, 'uuid' | 'title' | 'geos'>; onClose: () => void }) {
  const { t } = useTranslation('leadList')
  const [by, setBy] = useState<'geo' | 'share'>('geo')
  // a row of the table names three
  const { geos } = useQuery(query(leadListApi.get, { params: { uuid: list.uuid } })).data ?? list
  const form = useSaveForm({
    endpoint: leadListApi.split,
    initial: { title: `${list.title} 2`.slice(-100), countries: [] as string[], percent: '50' },
    toInput: ({ title, countries, percent }) => ({
      params: { uuid: list.uuid },
      body: by === 'geo' ? { title, countries } : { title, percent: typedNumber(percent) },
    }),
    invalidate: [leadListApi.list, leadListApi.get, leadListApi.items, leadListApi.options],
    savedText: '',
    onSaved: ({ moved }) => {
      notify.success(t('split.done', { count: moved, number: integer(moved) }))
      onClose()
    },
  })
  return (
    <DialogForm of={form} title={t('split.title', { title: list.title })} text={t('split.text')} action={t('split')} onClose={onClose}>
      <SegmentedControl
        aria-label={t('split.by')}
        value={by}
        onChange={(value) => setBy(value === 'share' ? 'share' : 'geo')}
        data={[
          { value: 'geo', label: t('split.byGeo') },
          { value: 'share', label: t('split.byShare') },
        ]}
      />
      {by === 'geo' ? (
        <MultiSelectField
          of={form}
          name="countries"
          label={t('split.byGeo')}
          options={geos.map(({ country, items }) => ({ value: country, label: `${countryName(country)} · ${integer(items)}` }))}
          required
        />
      ) : (
        <NumberField of={form} name="percent" label={t('split.percent')} unit="%" whole required />
      )}
      <TextField of={form} name="title" label={t('split.newTitle')} required />
    </DialogForm>
  )
}
