import { Alert, Button } from '@mantine/core'
import { IconPlus, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ownPostbackApi } from '#contract/traffic/postback.ts'
import { query } from '#web/api/query.ts'
import { DeliveryList } from '#web/features/traffic/postback/delivery-list.tsx'
import { OWN_POSTBACK_COLUMNS, type OwnPostback } from '#web/features/traffic/postback/own-postback-columns.tsx'
import { OwnPostbackForm } from '#web/features/traffic/postback/own-postback-form.tsx'
import { useOwnPostbackActions } from '#web/features/traffic/postback/use-own-postback-actions.tsx'
import { PostbackLab } from '#web/features/traffic/postback/postback-lab.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { useColumns } from '#web/kit/list/columns.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { DataTable } from '#web/kit/table/data-table.tsx'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { useViewport } from '#web/viewport.ts'

/** The addresses an affiliate is told results at, what was delivered, and a lab to try them in. */
export function OwnPostbacks() {
  const { t } = useTranslation('postback')
  const [edited, setEdited] = useState<string>()
  const found = useQuery(query(ownPostbackApi.list, {}))
  // as the list has it now: when somebody else saved it, the form offers theirs
  const postback = found.data?.list.find(({ uuid }) => uuid === edited)
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} actions={add} />
      <UrlTabs
        label={t('title')}
        tabs={[
          {
            id: 'own',
            label: t('tab.own'),
            content: (
              <QueryPage query={found} failed={t('failed')}>
                {({ list }) => <Postbacks list={list} onEdit={({ uuid }) => setEdited(uuid)} add={add} />}
              </QueryPage>
            ),
          },
          { id: 'deliveries', label: t('tab.deliveries'), content: <DeliveryList /> },
          { id: 'lab', label: t('tab.lab'), content: <PostbackLab /> },
        ]}
      />
      {(edited === 'new' || postback !== undefined) && <OwnPostbackForm postback={postback} onClose={() => setEdited(undefined)} />}
    </>
  )
}

type PostbacksProps = { list: readonly OwnPostback[]; onEdit: (postback: OwnPostback) => void; add: ReactNode }

function Postbacks({ list, onEdit, add }: PostbacksProps) {
  const { t } = useTranslation('postback')
  const mobile = useViewport() === 'mobile'
  const columns = useColumns('postback', OWN_POSTBACK_COLUMNS)
  const { actionsFor, resume } = useOwnPostbackActions(onEdit)
  if (list.length === 0)
    return (
      <EmptyState icon={<IconSend size={26} stroke={1.6} aria-hidden />} title={t('empty.title')} text={t('empty.text')} action={add} />
    )
  const Table = mobile ? TableCards : DataTable
  const suspended = list.filter(({ status }) => status === 'suspended')
  return (
    <>
      {suspended.map((one) => (
        <Alert key={one.uuid} color="red" title={t('suspended.title')}>
          {t('suspended.text', { url: one.url, error: one.last_error, held: one.held })}{' '}
          <Button size="compact-sm" variant="light" color="red" onClick={() => resume(one)}>
            {t('resume')}
          </Button>
        </Alert>
      ))}
      <Table name="own-postback" label={t('title')} rows={list} columns={columns} rowKey={(one) => one.uuid} rowActions={actionsFor} />
    </>
  )
}
