import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ownDocumentApi } from '#contract/money/own-document.ts'
import { query } from '#web/api/query.ts'
import { day } from '#web/format.ts'
import { GiveDocument } from '#web/features/money/invoice/objection/give-document.tsx'
import { saveOwnDocument } from '#web/features/money/invoice/objection/save-own-document.ts'

/** The affiliate's own invoice for a statement: what it gave, whether it is due, and the way to give it. */
export function OwnDocument({ invoice }: { invoice: { uuid: string } }) {
  const { t } = useTranslation('invoice')
  const [gives, setGives] = useState(false)
  const found = useQuery(query(ownDocumentApi.own, { params: { uuid: invoice.uuid } }, { quiet: true }))
  if (found.data === undefined) return null
  const { due, open, list } = found.data
  const [last] = list
  const given = last?.state === 'given' ? last : undefined
  if (!due && given === undefined && last === undefined) return null
  const button = (label: string) =>
    open && (
      <Button size="compact-sm" variant={due ? 'filled' : 'default'} onClick={() => setGives(true)}>
        {label}
      </Button>
    )
  return (
    <>
      {given === undefined ? (
        <Alert
          color="var(--ohma-waiting)"
          icon={<IconFileUpload size={18} aria-hidden />}
          title={t(last === undefined ? 'ownDoc.due' : 'ownDoc.refused')}
        >
          <Stack gap={8}>
            <Text fz={14} style={{ overflowWrap: 'anywhere' }}>
              {last === undefined ? t('ownDoc.dueText') : `${last.number}: ${last.reason}`}
            </Text>
            <div>{button(t('ownDoc.upload'))}</div>
          </Stack>
        </Alert>
      ) : (
        <div>
          <Text fz={13} c="dimmed">
            {t('ownDoc.given')}
          </Text>
          <Group gap={8} mt={4}>
            <Text fz={14} style={{ overflowWrap: 'anywhere' }}>
              {given.number} · {day(given.day)}
            </Text>
            {given.file && (
              <Button size="compact-sm" variant="default" onClick={() => given.file && void saveOwnDocument(given.file)}>
                {given.file.name}
              </Button>
            )}
            {button(t('ownDoc.replace'))}
          </Group>
        </div>
      )}
      {gives && <GiveDocument uuid={invoice.uuid} onClose={() => setGives(false)} />}
    </>
  )
}
