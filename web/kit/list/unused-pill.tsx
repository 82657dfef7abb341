import { IconX } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import classes from '#web/kit/list/list.module.css'

/** What an address asks that this screen cannot narrow by. */
export function UnusedPill({ label, onRemove }: { label: string; onRemove: () => void }) {
  const { t } = useTranslation('kit')
  return (
    <span className={classes.pill} data-unused>
      <span className={classes.unused}>
        <s>{label}</s> {t('filter.unused')}
      </span>
      <button type="button" className={classes.pillClear} aria-label={t('filter.remove', { label })} onClick={onRemove}>
        <IconX size={13} aria-hidden />
      </button>
    </span>
  )
}
