import { Alert, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import {
  LEAST_RETENTION_DAYS,
  MOST_A_NIGHT,
  MOST_EXPIRED_COUNTED,
  RETENTION_KINDS,
  retentionApi,
  type Retention,
} from '#contract/leads/retention.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { Moment } from '#web/kit/show/moment.tsx'

const KEPT = ['restricted', 'open', 'unpaid', 'unbilled'] as const

/** Whom the days that are typed would forget tonight, and whom they would not although their days are over. */
export function RetentionPreview({ days, saved }: { days: Retention; saved: Retention }) {
  const { t } = useTranslation('retention')
  const [asked] = useDebouncedValue(days, 400)
  const isRight = Object.values(asked).every((one) => one === null || (Number.isInteger(one) && one >= LEAST_RETENTION_DAYS && one <= 3650))
  const found = useQuery({
    ...query(retentionApi.preview, { body: asked }, { quiet: true }),
    enabled: isRight,
    placeholderData: keepPreviousData,
  })
  const isKept = RETENTION_KINDS.every((kind) => days[kind] === null)
  const isSaved = RETENTION_KINDS.every((kind) => days[kind] === saved[kind])
  if (found.isError)
    return (
      <Alert color="red" variant="light" role="alert">
        {t('preview.failed')}
      </Alert>
    )
  if (!isRight)
    return (
      <Alert color="var(--ohma-waiting)" role="status" title={t('preview')}>
        {t('preview.least')}
      </Alert>
    )
  if (found.data === undefined) return null
  const { people, more, oldest, kept, last_night } = found.data
  const why = KEPT.filter((one) => kept[one] > 0).map((one) => t(`kept.${one}`, { number: integer(kept[one]) }))
  return (
    <Alert color={people > 0 ? 'var(--ohma-waiting)' : 'gray'} role="status" aria-busy={found.isFetching} title={t('preview')}>
      <Stack gap={4}>
        <Text size="sm">
          {isKept
            ? t('preview.kept')
            : people === 0
              ? t('preview.nobody')
              : t(isSaved ? 'preview.tonight' : 'preview.would', {
                  count: people,
                  number: more ? t('preview.more', { number: integer(MOST_EXPIRED_COUNTED) }) : integer(people),
                })}{' '}
          {oldest !== null && (
            <>
              {t('preview.oldest')} <Moment at={oldest} />.
            </>
          )}
        </Text>
        {people > MOST_A_NIGHT && <Text size="sm">{t('preview.nights', { number: integer(MOST_A_NIGHT) })}</Text>}
        {why.length > 0 && <Text size="sm">{t('preview.keptFor', { why: why.join(', ') })}</Text>}
        {last_night > 0 && <Text size="sm">{t('preview.last', { count: last_night, number: integer(last_night) })}</Text>}
      </Stack>
    </Alert>
  )
}
