import { Group, List, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { query } from '#web/api/query.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { integer } from '#web/format.ts'
import { OutcomeBadge, outcomeOf, postbackWords, type PostbackRow } from '#web/features/traffic/postback-log/postback-columns.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

/** One postback as it came or was sent, with what became of it; raw texts are shown as texts, never as markup. */
export function PostbackDetails({ row, onClose }: { row: PostbackRow; onClose: () => void }) {
  const { t } = useTranslation('postbackLog')
  const words = postbackWords(t)
  const delivery = useDeliveryWords()
  return (
    <Modal opened onClose={onClose} title={t(`details.${row.direction}`, { id: row.id })} size={720} centered>
      <Stack gap={10}>
        <Group gap="4px 14px">
          <OutcomeBadge outcome={outcomeOf(row)} label={words.outcome(outcomeOf(row))} />
          {row.http_status !== null && <span>HTTP {row.http_status}</span>}
          <Moment at={row.at} log />
          {row.ip !== '' && <span>{row.ip}</span>}
        </Group>
        {row.reason !== '' && <p>{row.direction === 'in' ? words.reason(row.reason, row.parameter, row.detail) : delivery(row.reason)}</p>}
        {row.dismissed !== null && (
          <p>
            {t('dismissed', { name: row.dismissed.by })} <Moment at={row.dismissed.at} />
          </p>
        )}
        <h3>{t('address')}</h3>
        <RawText>{`${row.method} ${row.address}`}</RawText>
        {row.body !== '' && (
          <>
            <h3>{t('body')}</h3>
            <RawText>{row.body}</RawText>
          </>
        )}
        {row.direction === 'out' && <Attempts id={row.id} />}
      </Stack>
    </Modal>
  )
}

/** What went along with a delivery, and every attempt. */
function Attempts({ id }: { id: string }) {
  const { t } = useTranslation('postbackLog')
  const { t: message } = useTranslation('postbackMessage')
  const delivery = useDeliveryWords()
  const found = useQuery(query(postbackApi.attempts, { params: { uuid: id } }, { quiet: true }))
  if (found.isError) return <ErrorState what={t('attemptsFailed')} error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Skeleton height={60} />
  const { headers, body } = found.data
  return (
    <>
      {headers.length > 0 && (
        <>
          <h3>{message('headers')}</h3>
          <RawText>{headers.map(({ name, value }) => `${name}: ${value ?? '••••••'}`).join('\n')}</RawText>
        </>
      )}
      {body !== '' && (
        <>
          <h3>{t('body')}</h3>
          <RawText>{body}</RawText>
        </>
      )}
      <h3>{t('attempts')}</h3>
      {found.data.list.length === 0 && <p>{t('noAttempts')}</p>}
      <List type="ordered" spacing={10}>
        {found.data.list.map((attempt) => (
          <List.Item key={attempt.at}>
            <Group gap="4px 14px">
              <Moment at={attempt.at} log />
              {attempt.http_status !== null && <span>HTTP {attempt.http_status}</span>}
              <span>{t('took', { ms: integer(attempt.duration_ms) })}</span>
              {delivery(attempt.error)}
            </Group>
            {attempt.response !== '' && <RawText>{attempt.response}</RawText>}
          </List.Item>
        ))}
      </List>
    </>
  )
}
