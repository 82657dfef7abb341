import { Tooltip } from '@mantine/core'
import classes from '#web/kit/show/show.module.css'

/** The first few words of a list as chips, the rest as a number with all of them on hover. */
export function TagList({ tags, shown = 2 }: { tags: readonly string[]; shown?: number }) {
  const rest = tags.length - shown
  return (
    <span className={classes.tags}>
      {tags.slice(0, shown).map((tag) => (
        <span key={tag} className={classes.tag} title={tag}>
          {tag}
        </span>
      ))}
      {rest > 0 && (
        <Tooltip label={tags.join(', ')} multiline maw={320}>
          <span className={classes.tag}>+{rest}</span>
        </Tooltip>
      )}
    </span>
  )
}
