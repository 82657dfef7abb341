import { useTranslation } from 'react-i18next'
import type { Currency } from '#contract/money.ts'
import { integer } from '#web/format.ts'
import { reasonOf } from '#web/features/conversion/conversion-columns.tsx'
import type { ConversionLife } from '#web/features/conversion/conversion-detail.tsx'
import { ConversionStatusBadge } from '#web/features/conversion/conversion-status.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import classes from '#web/features/conversion/conversion.module.css'

/** The click: who came, and how it was judged. */
export function ClickEvent({ click }: { click: NonNullable<ConversionLife['click']> }) {
  const { t } = useTranslation('conversion')
  const { t: report } = useTranslation('report')
  const { t: words } = useTranslation('click')
  const flags = click.flags.map((flag) => words(`flag.${flag}` as 'flag.bot', { defaultValue: flag })) // flags the file does not know stay as they are
  return (
    <p className={classes.line}>
      <Country code={click.geo} />
      <span>{[click.device, click.os, click.browser].filter(Boolean).join(' · ')}</span>
      <span>{click.ip}</span>
      {click.reason !== '' && <strong>{report(`code.${click.reason}` as 'code.no_access', { defaultValue: click.reason })}</strong>}
      {flags.length > 0 && <span>{t('marked', { flags: flags.join(', ') })}</span>}
    </p>
  )
}

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

type StatusChangeProps = { change: ConversionLife['history'][number]; currency: Currency }

/** A link of the chain of statuses. */
export function StatusChange({ change, currency }: StatusChangeProps) {
  const { t } = useTranslation('conversion')
  return (
    <>
      <p className={classes.line}>
        {change.from !== null && (
          <>
            <ConversionStatusBadge status={change.from} />
            <span aria-label={t('becomes')}>→</span>
          </>
        )}
        <ConversionStatusBadge status={change.to} />
        <span>
          {t('payout')} <Money amount={change.payout} currency={currency} />
        </span>
        <span>
          {t(`origin.${change.origin}`)}
          {change.actor !== null && ` · ${change.actor}`}
        </span>
      </p>
      {change.reason !== '' && <p className={classes.line}>{reasonOf(t, change.reason)}</p>}
      <p className={`${classes.line} ${classes.soft}`}>
        {t('entry', { seq: change.seq })} <CopyText text={change.hash} shown={`${change.hash.slice(0, 12)}…`} />
      </p>
    </>
  )
}

/** One booking with both its sides; what is debited is positive. */
export function Booking({ booking }: { booking: ConversionLife['money'][number] }) {
  return (
    <ul className={classes.entries}>
      {booking.entries.map(({ account, amount }, index) => (
        // an account may stand in a booking twice; entries never change their order
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <code>{account}</code>
          <Money amount={amount} currency={booking.currency} />
        </li>
      ))}
    </ul>
  )
}

/** What was sent to the affiliate, with every attempt. */
export function PostbackOut({ postback }: { postback: ConversionLife['postbacks_out'][number] }) {
  const { t } = useTranslation('postbackLog')
  return (
    <>
      <p className={classes.line}>
        <strong>{t(`outcome.${postback.state}` as 'outcome.sent', { defaultValue: postback.state })}</strong>
        {postback.http_status !== null && <span>HTTP {postback.http_status}</span>}
        {postback.error !== '' && <span>{postback.error}</span>}
        {postback.next_try_at !== null && (
          <span>
            {t('nextTry')} <Moment at={postback.next_try_at} />
          </span>
        )}
      </p>
      <pre className={classes.raw}>
        {postback.method} {postback.url}
      </pre>
      {postback.attempts.length > 0 && (
        <ol className={classes.entries} aria-label={t('attempts')}>
          {postback.attempts.map((attempt) => (
            <li key={attempt.at}>
              <Moment at={attempt.at} />
              <span>
                {attempt.http_status !== null && `HTTP ${attempt.http_status} · `}
                {t('took', { ms: integer(attempt.duration_ms) })}
                {attempt.error !== '' && ` · ${attempt.error}`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
