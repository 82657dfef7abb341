import { countryName, UNKNOWN } from '#web/format.ts'
import { Flag } from '#web/kit/show/flag.tsx'
import classes from '#web/kit/show/show.module.css'

/** A country by its two letters: flag and name in the language of the panel. */
export function Country({ code }: { code: string | null }) {
  if (code === null) return <span>{UNKNOWN}</span>
  return (
    <span className={classes.country}>
      <Flag country={code} />
      <span className="ohma-clip">{countryName(code)}</span>
    </span>
  )
}
