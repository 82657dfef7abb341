import { integer } from '#web/format.ts'
import classes from '#web/import/import.module.css'

/** How many rows of a file come to what. */
export function ImportCounts({ of }: { of: readonly { label: string; value: number }[] }) {
  return (
    <dl className={classes.counts}>
      {of.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="ohma-number">{integer(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
