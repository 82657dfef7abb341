import { useTranslation } from 'react-i18next'
import type { ConversionLife } from '#web/features/traffic/conversion/conversion-detail.tsx'
import classes from '#web/features/traffic/conversion/conversion.module.css'

/** What the advertiser reported, as it came. */
export function PostbackIn({ postback }: { postback: ConversionLife['postbacks_in'][number] }) {
  const { t } = useTranslation('postbackLog')
  return (
    <>
      <p className={classes.line}>
        <strong>{t(`outcome.${postback.outcome}` as 'outcome.created', { defaultValue: postback.outcome })}</strong>
        <span>HTTP {postback.http_status}</span>
        <span>{postback.ip}</span>
        {postback.reason !== '' && (
          <span>{t(`reason.${postback.reason}` as 'reason.click_id_missing', { defaultValue: postback.reason })}</span>
        )}
      </p>
      <pre className={classes.raw}>
        {postback.method} {postback.query}
        {postback.body !== '' && `\n\n${postback.body}`}
      </pre>
    </>
  )
}
