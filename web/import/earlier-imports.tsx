import { Anchor, Text } from '@mantine/core'
import { Moment } from '#web/kit/show/moment.tsx'
import classes from '#web/import/import.module.css'

type Earlier = { uuid: string; name: string; rows: string; state: string; by: string; at: string }

/** Imports of before to come back to; nothing while there are none. */
export function EarlierImports({ of, title, onOpen }: { of: readonly Earlier[]; title: string; onOpen: (uuid: string) => void }) {
  if (of.length === 0) return null
  return (
    <section aria-label={title}>
      <Text fw={600} mb={6}>
        {title}
      </Text>
      <ul className={classes.earlier}>
        {of.map(({ uuid, name, rows, state, by, at }) => (
          <li key={uuid}>
            <Anchor component="button" type="button" onClick={() => onOpen(uuid)}>
              {name}
            </Anchor>
            <span className="ohma-soft">
              {rows} · {state} · {by} · <Moment at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
