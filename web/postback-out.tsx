import { Group } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { conversionDetail } from '#contract/traffic/conversion.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { integer } from '#web/format.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'

/** What was sent to the affiliate, with every attempt. */
export function PostbackOut({ postback }: { postback: z.output<typeof conversionDetail>['postbacks_out'][number] }) {
  const { t } = useTranslation('postbackLog')
  const words = useDeliveryWords()
  return (
    <>
      <Group gap="4px 14px">
        <strong>{t(`outcome.${postback.state}` as 'outcome.sent', { defaultValue: postback.state })}</strong>
        {postback.http_status !== null && <span>HTTP {postback.http_status}</span>}
        {postback.error !== '' && <span>{words(postback.error)}</span>}
        {postback.next_try_at !== null && (
          <span>
            {t('nextTry')} <Moment at={postback.next_try_at} />
          </span>
        )}
      </Group>
      <RawText>{`${postback.method} ${postback.url}`}</RawText>
      {postback.attempts.length > 0 && (
        <ol aria-label={t('attempts')}>
          {postback.attempts.map((attempt) => (
            <li key={attempt.at}>
              <Moment at={attempt.at} log />{' '}
              <span>
                {attempt.http_status !== null && `HTTP ${attempt.http_status} · `}
                {t('took', { ms: integer(attempt.duration_ms) })}
                {attempt.error !== '' && ` · ${words(attempt.error)}`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
