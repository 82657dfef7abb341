import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { legalApi, type LegalKind } from '#contract/network/legal.ts'
import { MAX_PAGE_SIZE } from '#contract/paging.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import type { Language } from '#web/i18n/language.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { RichText } from '#web/kit/show/rich-text.tsx'
import { Modal } from '#web/kit/page/modal.tsx'
import style from './legal-settings.module.css'

/** The versions that were published of one text, newest first: when, by whom, why, and how many accepted each. */
export function LegalVersions({ kind, language }: { kind: LegalKind; language: Language }) {
  const { t } = useTranslation('legalSettings')
  const [open, setOpen] = useState<{ uuid: string; version: number }>()
  const found = useQuery(query(legalApi.versions, { body: { kind, language, count: MAX_PAGE_SIZE } }))
  const list = found.data?.list ?? []
  return (
    <Panel title={t('versions')}>
      {found.isError && <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton height={48} />}
      {found.data !== undefined && list.length === 0 && <Text c="dimmed">{t('versions.none')}</Text>}
      {list.length > 0 && (
        <ul className={style.versions}>
          {list.map(({ uuid, version, note, published_at, by, accepted }) => (
            <li key={uuid}>
              <strong>{t('version', { version })}</strong>
              <div>
                <div>{note}</div>
                <div className={style.soft}>
                  <Moment at={published_at} /> {by !== '' && `· ${by}`}
                </div>
              </div>
              <span className={style.soft}>{t('acceptedBy', { count: accepted, number: integer(accepted) })}</span>
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => setOpen({ uuid, version })}
                aria-label={`${t('read')}: ${t('version', { version })}`}
              >
                {t('read')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {open !== undefined && (
        <VersionDialog
          {...open}
          title={`${t(`kind.${kind}`)} – ${t('version', { version: open.version })}`}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Panel>
  )
}

function VersionDialog({ uuid, title, onClose }: { uuid: string; title: string; onClose: () => void }) {
  const { t } = useTranslation('legalSettings')
  const found = useQuery({ ...query(legalApi.version, { params: { uuid } }), staleTime: Infinity })
  return (
    <Modal opened onClose={onClose} title={title} size={760} centered>
      {found.isError && <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton height={200} />}
      {found.data !== undefined && <RichText html={found.data.html} />}
    </Modal>
  )
}
