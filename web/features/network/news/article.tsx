import { IconPinFilled } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { NewsArticle } from '#contract/network/news.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { Picture } from '#web/kit/show/picture.tsx'
import { RichText } from '#web/kit/show/rich-text.tsx'
import classes from '#web/features/network/news/news.module.css'

/** News as they are read; a draft has no moment yet. */
export function Article({ of }: { of: Pick<NewsArticle, 'title' | 'text' | 'cover' | 'pinned'> & { published_at: string | null } }) {
  const { t } = useTranslation('news')
  return (
    <article className={classes.article}>
      {of.cover !== null && (
        <div className={classes.banner}>
          <Picture uuid={of.cover} alt="" filling />
        </div>
      )}
      <h2 className={classes.headline}>{of.title}</h2>
      <p className={classes.foot}>
        {of.pinned && (
          <span className={classes.pin}>
            <IconPinFilled size={13} aria-hidden /> {t('pinned')}
          </span>
        )}
        {of.published_at !== null && <Moment at={of.published_at} />}
      </p>
      <RichText html={of.text} />
    </article>
  )
}
