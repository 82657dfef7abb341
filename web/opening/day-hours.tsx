import { TextInput } from '@mantine/core'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from './opening.module.css'

type DayHoursProps<Values> = {
  of: SaveForm<Values>
  /** Where the texts of the seven days stand, Monday first: `hours-text.ts` reads them. */
  path: string
  /** What the days are called. */
  days: readonly string[]
  /** What an empty day says. */
  closed: string
}

/** The opening hours of a week, written by the day. */
export function DayHours<Values>({ of, path, days, closed }: DayHoursProps<Values>) {
  return (
    <div className={classes.days} data-wide>
      {days.map((label, day) => {
        const name = `${path}.${day}`
        of.labels.set(name, label)
        const input = of.form.getInputProps(name)
        return (
          <TextInput
            key={name}
            id={fieldId(of.id, name)}
            label={label}
            placeholder={closed}
            maxLength={120}
            autoComplete="off"
            {...input}
            value={String(input.value ?? '')}
          />
        )
      })}
    </div>
  )
}
