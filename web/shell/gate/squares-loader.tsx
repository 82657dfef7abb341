import { useTranslation } from '#web/i18n/use-translation.ts'
import style from './squares-loader.module.css'

/** The loader of five squares: the whole page waits. */
export function SquaresLoader() {
  const { t } = useTranslation('shell')
  return (
    <div className={style.loader} role="status" aria-label={t('loading')}>
      {[1, 2, 3, 4, 5].map((square) => (
        <span key={square} className={style.square} />
      ))}
    </div>
  )
}
