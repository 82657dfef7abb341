import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { call } from '#web/api/call.ts'
import { query } from '#web/api/query.ts'
import { exactTime } from '#web/format.ts'
import { download } from '#web/kit/list/export/run-export.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { monthName } from '#web/month-name.ts'
import { useZone } from '#web/kit/show/zone.tsx'

/** What stands of a month for good: when it was stored, its hash and that of the month before; nothing while it is not over. */
export function StoredTrial({ month }: { month: string }) {
  const { t } = useTranslation('ledger')
  const zone = useZone()
  const { data } = useQuery(query(ledgerApi.storedTrials, {}, { quiet: true }))
  const stored = data?.list.find((one) => one.month === month)
  if (stored === undefined) return <Text className="ohma-soft">{t('stored.none')}</Text>
  const save = async () => {
    const { json } = await call(ledgerApi.storedTrial, { params: { uuid: stored.uuid } })
    download(`trial-balance-${month}.json`, [json], 'application/json')
  }
  return (
    <Group gap="xs" fz={13}>
      <Text fz={13}>{t('stored.at', { month: monthName(month), time: exactTime(stored.made_at, zone) })}</Text>
      <Text fz={13} c="dimmed">
        SHA-256 <CopyText text={stored.sha256} shown={stored.sha256.slice(0, 12)} />
      </Text>
      {stored.previous !== null && (
        <Text fz={13} c="dimmed">
          {t('stored.before')} <CopyText text={stored.previous} shown={stored.previous.slice(0, 12)} />
        </Text>
      )}
      <Button size="compact-sm" variant="default" leftSection={<IconDownload size={15} aria-hidden />} onClick={() => void save()}>
        {t('stored.json')}
      </Button>
    </Group>
  )
}
