import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { legalApi, type LegalKind } from '#contract/network/legal.ts'
import { query } from '#web/api/query.ts'
import type { Language } from '#web/i18n/language.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { RichText } from '#web/kit/show/rich-text.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

type LegalPreviewProps = { kind: LegalKind; language: Language; html: string; onClose: () => void }

/** A text as guests would read it: what the server leaves of it. */
export function LegalPreview({ kind, language, html, onClose }: LegalPreviewProps) {
  const { t } = useTranslation('legalSettings')
  const found = useQuery(query(legalApi.preview, { body: { html } }, { quiet: true }))
  return (
    <Modal opened onClose={onClose} title={`${t(`kind.${kind}`)} – ${t('preview')}`} size={760} centered>
      {found.isError && <ErrorState what={t('previewFailed')} error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton height={200} />}
      {found.data !== undefined && (
        <div lang={language}>
          <RichText html={found.data.html} />
        </div>
      )}
    </Modal>
  )
}
