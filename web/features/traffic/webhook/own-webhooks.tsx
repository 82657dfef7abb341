import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MOST_WEBHOOKS } from '#contract/traffic/webhook.ts'
import { ownWebhookApi } from '#contract/traffic/own-webhook.ts'
import { query } from '#web/api/query.ts'
import { WebhookForm } from '#web/features/traffic/webhook/webhook-form.tsx'
import { RotateSecret } from '#web/features/traffic/webhook/rotate-secret.tsx'
import { ShownSecret } from '#web/features/traffic/webhook/shown-secret.tsx'
import { WebhookTable } from '#web/features/traffic/webhook/webhook-table.tsx'
import { WebhookLog } from '#web/features/traffic/webhook/webhook-log.tsx'
import { useWebhookActions } from '#web/features/traffic/webhook/use-webhook-actions.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'

/** Where an affiliate's systems hear what happens, and everything they were told. */
export function OwnWebhooks() {
  const { t } = useTranslation('webhook')
  const found = useQuery(query(ownWebhookApi.list, {}))
  const [open, setOpen] = useState<{ what: 'new' } | { what: 'edit' | 'rotate'; uuid: string } | { what: 'secret'; secret: string }>()
  const close = () => setOpen(undefined)
  const show = (secret: string) => setOpen({ what: 'secret', secret })
  const { actionsFor, resume } = useWebhookActions({
    onEdit: ({ uuid }) => setOpen({ what: 'edit', uuid }),
    onRotate: ({ uuid }) => setOpen({ what: 'rotate', uuid }),
  })
  const webhook = found.data?.list.find((one) => open !== undefined && 'uuid' in open && one.uuid === open.uuid)
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen({ what: 'new' })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <QueryPage query={found} failed={t('failed.load')}>
        {({ list }) => (
          <Stack miw={0}>
            {list.length > 0 && (
              <Group justify="space-between" gap="8px 16px">
                <Text fz={13} c="dimmed" flex="1 1 260px">
                  {t('about')}
                </Text>
                {list.length < MOST_WEBHOOKS && add}
              </Group>
            )}
            <WebhookTable
              list={list}
              empty={{ title: t('empty.title'), text: t('empty.text'), action: add }}
              actionsFor={actionsFor}
              onResume={resume}
            />
            {list.length > 0 && <WebhookLog webhooks={list} />}
          </Stack>
        )}
      </QueryPage>
      {open?.what === 'new' && <WebhookForm webhook={undefined} onMade={show} onClose={close} />}
      {open?.what === 'secret' && <ShownSecret secret={open.secret} onClose={close} />}
      {open?.what === 'edit' && webhook && <WebhookForm webhook={webhook} onMade={show} onClose={close} />}
      {open?.what === 'rotate' && webhook && <RotateSecret webhook={webhook} onMade={show} onClose={close} />}
    </>
  )
}
