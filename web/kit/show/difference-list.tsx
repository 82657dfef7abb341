import { UNKNOWN } from '#web/format.ts'
import classes from '#web/kit/show/difference-list.module.css'

type DifferenceListProps = {
  lines: readonly { field: string; before: readonly string[]; after: readonly string[] }[]
  /** What is read out before a value that was there, and before one that is there now. */
  words: { before: string; after: string }
}

/** What a change made of each field: how it was, and how it is. */
export function DifferenceList({ lines, words }: DifferenceListProps) {
  return (
    <dl className={classes.differences}>
      {lines.map(({ field, before, after }, index) => (
        // two fields may be called the same
        // oxlint-disable-next-line react/no-array-index-key
        <div key={`${field} ${index}`}>
          <dt>{field}</dt>
          <dd>
            {before.map((text) => (
              <del key={text} aria-label={`${words.before}: ${text}`}>
                {text || UNKNOWN}
              </del>
            ))}
            {after.map((text) => (
              <ins key={text} aria-label={`${words.after}: ${text}`}>
                {text || UNKNOWN}
              </ins>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
