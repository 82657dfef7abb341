import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { ownPostbackApi } from '#contract/traffic/own-postback.ts'
import { query } from '#web/api/query.ts'
import { DeliveryList } from '#web/features/traffic/postback/delivery-list.tsx'
import { OwnPostbackForm } from '#web/features/traffic/postback/own-postback-form.tsx'
import { useOwnPostbackActions } from '#web/features/traffic/postback/use-own-postback-actions.tsx'
import { SignatureDialog } from '#web/features/traffic/postback/signature-dialog.tsx'
import { PostbackTable } from '#web/features/traffic/postback/postback-table.tsx'
import { PostbackLab } from '#web/features/traffic/postback/postback-lab.tsx'
import { WebhookTab } from '#web/webhook-tab.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'

/** The addresses an affiliate is told results at, what was delivered, and a lab to try them in. */
export function OwnPostbacks() {
  const { t } = useTranslation('postback')
  const [search] = useSearchParams()
  const [edited, setEdited] = useState<string>()
  const found = useQuery(query(ownPostbackApi.list, {}))
  const [signed, setSigned] = useState<string>()
  const { actionsFor, resume } = useOwnPostbackActions({
    onEdit: ({ uuid }) => setEdited(uuid),
    onSign: ({ uuid }) => setSigned(uuid),
  })
  // as the list has it now: when somebody else saved it, the form offers theirs
  const postback = found.data?.list.find(({ uuid }) => uuid === edited)
  const toSign = found.data?.list.find(({ uuid }) => uuid === signed)
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  )
  return (
    <>
      {/* webhooks have their own button */}
      <PageHeader title={t('title')} actions={search.get('tab') === 'webhooks' ? undefined : add} />
      <UrlTabs
        label={t('title')}
        tabs={[
          {
            id: 'own',
            label: t('tab.own'),
            content: (
              <QueryPage query={found} failed={t('failed')}>
                {({ list }) => (
                  <PostbackTable list={list} empty={{ text: t('empty.text'), action: add }} actionsFor={actionsFor} onResume={resume} />
                )}
              </QueryPage>
            ),
          },
          { id: 'deliveries', label: t('tab.deliveries'), content: <DeliveryList /> },
          { id: 'webhooks', label: t('tab.webhooks'), content: <WebhookTab /> },
          { id: 'lab', label: t('tab.lab'), content: <PostbackLab /> },
        ]}
      />
      {(edited === 'new' || postback !== undefined) && <OwnPostbackForm postback={postback} onClose={() => setEdited(undefined)} />}
      {toSign !== undefined && <SignatureDialog postback={toSign} onClose={() => setSigned(undefined)} />}
    </>
  )
}
