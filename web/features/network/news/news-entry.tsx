import { Badge } from '@mantine/core'
import { IconPinFilled } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { NewsCard } from '#contract/network/news.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { Picture } from '#web/kit/show/picture.tsx'
import classes from '#web/features/network/news/news.module.css'

/** One news that opens over the page: a card with its picture, or a line of the dashboard. */
export function NewsEntry({ of, look }: { of: NewsCard; look: 'card' | 'line' }) {
  const { t } = useTranslation('dashboard')
  const { hrefOf } = usePanelAddress('news')
  // beneath the title of the page, or of the panel
  const Heading = look === 'card' ? 'h2' : 'h3'
  return (
    <article className={classes[look]} data-unread={!of.read || undefined}>
      {of.cover !== null && (
        <div className={classes.cover}>
          <Picture uuid={of.cover} alt="" filling />
        </div>
      )}
      <div className={classes.told}>
        <Heading className={classes.name}>
          {/* the whole card is the link */}
          <Link to={hrefOf(of.uuid)} data-row={of.uuid} className={classes.link} preventScrollReset>
            {of.title}
          </Link>
        </Heading>
        {of.excerpt !== '' && <p className={classes.excerpt}>{of.excerpt}</p>}
        <p className={classes.foot}>
          {!of.read && (
            <Badge size="sm" variant="light" radius="sm">
              {t('news.new')}
            </Badge>
          )}
          {of.pinned && (
            <span className={classes.pin}>
              <IconPinFilled size={13} aria-hidden /> {t('news.pinned')}
            </span>
          )}
          <Moment at={of.published_at} />
        </p>
      </div>
    </article>
  )
}
