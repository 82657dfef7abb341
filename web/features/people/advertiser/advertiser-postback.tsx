import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { useSave } from '#web/api/query.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { useRuntime } from '#web/shell/runtime.ts'

/** The address an advertiser calls when a visitor did what is paid for, ready to hand over; and its secret. */
export function AdvertiserPostback({ advertiser }: { advertiser: { uuid: string; postback_token: string } }) {
  const { t } = useTranslation('advertiser')
  const renew = useSave(advertiserApi.renewToken, { invalidate: [advertiserApi.get] })
  const address = `${useRuntime().tracking_url}/postback?click_id={click_id}&goal=lead&status=approved&amount={amount}&txn_id={order_id}&token=${advertiser.postback_token}`

  const ask = async () => {
    const sure = await confirm({ title: t('renew.title'), text: t('renew.text'), action: t('renew.action'), danger: true })
    if (sure) renew.mutate({ params: { uuid: advertiser.uuid } })
  }
  return (
    <Paper withBorder p="lg" maw={1080}>
      <Stack gap="md">
        <div>
          <Title order={2} size="h4">
            {t('postback.title')}
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {t('postback.text')}
          </Text>
        </div>
        <CopyField label={t('postback.address')} text={address} />
        <Text size="sm" c="dimmed">
          {t('postback.parameters')}
        </Text>
        <CopyField label={t('postback.token')} text={advertiser.postback_token} />
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={renew.isPending}
          onClick={() => void ask()}
          style={{ alignSelf: 'start' }}
        >
          {t('renew.action')}
        </Button>
      </Stack>
    </Paper>
  )
}
