import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { copyAloud } from '#web/kit/show/copy.ts'
import classes from '#web/kit/show/show.module.css'

type CopyTextProps = {
  text: string
  shown?: string
  /** How many of its last characters stay where its place is too short: an address says as much at its end. */
  tail?: number
}

/** An id, a link or a key that is copied by a click on it. */
export function CopyText({ text, shown = text, tail = 0 }: CopyTextProps) {
  const { t } = useTranslation('kit')
  return (
    <button
      type="button"
      className={classes.copy}
      aria-label={t('copyThis', { text: shown })}
      onClick={(event) => {
        event.stopPropagation()
        void copyAloud(text)
      }}
    >
      <span className="ohma-clip">{tail === 0 ? shown : shown.slice(0, -tail)}</span>
      {tail > 0 && <span className={classes.tail}>{shown.slice(-tail)}</span>}
      <IconCopy size={13} aria-hidden className={classes.copyIcon} />
    </button>
  )
}
