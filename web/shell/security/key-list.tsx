import { Button, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ApiKey } from '#contract/people/api-key.ts'
import { day } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useScopeWords } from './scope-words.ts'
import style from './security.module.css'

type Props = {
  keys: readonly ApiKey[]
  empty: string
  /** The key that is being revoked. */
  busy: string | undefined
  onRevoke: (uuid: string) => void
}

/** Keys with what they may, from where, until when, and how they were used last. */
export function KeyList({ keys, empty, busy, onRevoke }: Props) {
  const { t } = useTranslation('security')
  const words = useScopeWords()
  if (keys.length === 0) return <Text c="dimmed">{empty}</Text>
  const ask = async ({ uuid, name }: ApiKey) => {
    const agreed = await confirm({
      title: t('keys.revokeTitle', { name }),
      text: t('keys.revokeText'),
      action: t('keys.revoke'),
      danger: true,
    })
    if (agreed) onRevoke(uuid)
  }
  return (
    <ul className={style.list} aria-label={t('keys.title')}>
      {keys.map((key) => (
        <li key={key.uuid} data-ended={key.state !== 'active' || undefined}>
          <div className={style.what}>
            <div className={style.name}>
              <span>{key.name}</span>
              <code>ohma_…{key.hint}</code>
            </div>
            <div className={style.soft}>
              {key.offers.length === 0 ? words(key.scopes) : t('keys.onlyOffers', { list: key.offers.map(({ name }) => name).join(', ') })}
            </div>
            <div className={style.soft}>
              {key.last_used_at === null ? (
                t('keys.neverUsed')
              ) : (
                <>
                  {t('keys.used')} <Moment at={key.last_used_at} /> · {key.last_address}
                </>
              )}
              {' · '}
              {key.expires_at === null ? t('keys.forever') : t('keys.until', { date: day(key.expires_at.slice(0, 10)) })}
              {key.allowed_ips.length > 0 && ` · ${t('keys.onlyFrom', { list: key.allowed_ips.join(', ') })}`}
            </div>
          </div>
          {key.state === 'active' ? (
            <Button
              variant="default"
              size="xs"
              flex="none"
              aria-label={`${t('keys.revoke')}: ${key.name}`}
              loading={busy === key.uuid}
              onClick={() => void ask(key)}
            >
              {t('keys.revoke')}
            </Button>
          ) : (
            <StatusBadge tone="muted" label={t(`keys.state.${key.state}`)} />
          )}
        </li>
      ))}
    </ul>
  )
}
