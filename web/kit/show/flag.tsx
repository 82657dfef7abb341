import classes from '#web/kit/show/show.module.css'

// Addresses only: a flag is fetched when it is first drawn.
const FLAGS = import.meta.glob<string>('../../../node_modules/country-flag-icons/3x2/*.svg', {
  eager: true,
  query: '?url&no-inline',
  import: 'default',
})

/** The flag of a country by its two letters; nothing for a code without one. Emoji flags do not exist on Windows. */
export function Flag({ country }: { country: string }) {
  const address = FLAGS[`../../../node_modules/country-flag-icons/3x2/${country}.svg`]
  return address === undefined ? null : <img src={address} alt="" width={18} height={12} loading="lazy" className={classes.flag} />
}
