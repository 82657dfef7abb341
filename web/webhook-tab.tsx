import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Own = lazy(async () => {
  const page = withinChunkTimeout(() => import('#web/features/traffic/webhook/own-webhooks.tsx'))
  return { default: (await Promise.all([page, loadLateTexts('webhook')]))[0].OwnWebhooks }
})

const Theirs = lazy(async () => {
  const page = withinChunkTimeout(() => import('#web/features/traffic/webhook/affiliate-webhooks.tsx'))
  return { default: (await Promise.all([page, loadLateTexts('webhook')]))[0].AffiliateWebhooks }
})

/** Webhooks beside postbacks, fetched when somebody looks: the own ones, or for staff those of an affiliate. */
export function WebhookTab({ affiliate }: { affiliate?: string }) {
  return <Suspense fallback={<Skeleton height={320} />}>{affiliate === undefined ? <Own /> : <Theirs affiliate={affiliate} />}</Suspense>
}
