import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { legalApi, type LegalKind } from '#contract/network/legal.ts'
import { query } from '#web/api/query.ts'
import { date } from '#web/format.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { RichText } from '#web/kit/show/rich-text.tsx'
import style from './legal-reading.module.css'

/** The text of a kind that holds now, in the language on the screen where there is one, with its version and since when. */
export function LegalReading({ kind }: { kind: LegalKind }) {
  const { t } = useTranslation('legal')
  const language = currentLanguage()
  const found = useQuery({ ...query(legalApi.read, { body: { kind, language } }, { quiet: true }), staleTime: 60_000 })
  if (found.isError) return <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined)
    return (
      <Stack gap="sm" role="status" aria-label={t('loading')}>
        {[92, 100, 84, 96, 60].map((width) => (
          <Skeleton key={width} height={14} width={`${width}%`} />
        ))}
      </Stack>
    )
  const { text } = found.data
  if (text === null) return <p className={style.state}>{t('none')}</p>
  return (
    <>
      <p className={style.state}>
        {t('state', { version: text.version, date: date(text.published_at, Intl.DateTimeFormat().resolvedOptions().timeZone) })}
        {text.language !== language && ` ${t('otherLanguage')}`}
      </p>
      <div lang={text.language} className={style.text}>
        <RichText html={text.html} />
      </div>
    </>
  )
}
