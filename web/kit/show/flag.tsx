import { codes, folder } from 'virtual:flags'
import classes from '#web/kit/show/show.module.css'

const KNOWN = new Set(codes.split(' '))

/** The flag of a country by its two letters; nothing for a code without one. Emoji flags do not exist on Windows. */
export function Flag({ country }: { country: string }) {
  return KNOWN.has(country) ? (
    <img src={`${folder}${country}.svg`} alt="" width={18} height={12} loading="lazy" className={classes.flag} />
  ) : null
}
