import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { copyAloud } from '#web/kit/show/copy.ts'
import classes from '#web/kit/show/show.module.css'

/** An id, a link or a key that is copied by a click on it. */
export function CopyText({ text, shown = text }: { text: string; shown?: string }) {
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
      <span className="ohma-clip">{shown}</span>
      <IconCopy size={13} aria-hidden className={classes.copyIcon} />
    </button>
  )
}
