import { Select } from '@mantine/core'
import classes from '#web/import/import.module.css'

type ColumnMappingProps<Field extends string> = {
  /** What columns may be, each with how it is called. */
  fields: readonly { field: Field; label: string }[]
  columns: readonly string[]
  /** What the first rows hold, to tell columns by. */
  samples: readonly (readonly string[])[]
  mapping: Partial<Record<Field, number>>
  onChange: (mapping: Partial<Record<Field, number>>) => void
  words: { legend: string; none: string; unnamed: (number: number) => string }
}

/** Which column of a file is what, each with what the first rows hold there; a column is one thing alone. */
export function ColumnMapping<Field extends string>({ fields, columns, samples, mapping, onChange, words }: ColumnMappingProps<Field>) {
  const options = columns.map((name, place) => ({ value: String(place), label: name || words.unnamed(place + 1) }))
  const sampleOf = (place: number | undefined) =>
    place === undefined
      ? undefined
      : samples
          .map((cells) => cells[place])
          .filter(Boolean)
          .join(' · ')
  /** The field that had the column gives it up. */
  const choose = (field: Field, place: string | null) => {
    const kept = fields.flatMap(({ field: one }) => {
      const at = mapping[one]
      return one === field || at === undefined || String(at) === place ? [] : [[one, at] as const]
    })
    const chosen = place === null ? kept : [...kept, [field, Number(place)] as const]
    onChange(Object.fromEntries(chosen) as Partial<Record<Field, number>>) // entries of its own fields
  }
  return (
    <fieldset className={classes.columns}>
      <legend>{words.legend}</legend>
      {fields.map(({ field, label }) => (
        <Select
          key={field}
          label={label}
          description={sampleOf(mapping[field])}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={words.none}
          data={options}
          clearable
          searchable
          value={mapping[field] === undefined ? null : String(mapping[field])}
          onChange={(place) => choose(field, place)}
        />
      ))}
    </fieldset>
  )
}
