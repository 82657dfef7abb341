import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LAWFUL_BASES, LAWFUL_STATEMENT, leadListImportApi, type LeadListImportPlan } from '#contract/leads/lead-list-import.ts'
import { useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'

type ConfirmLawfulProps = { uuid: string; plan: LeadListImportPlan; added: number; waits: boolean; onBack: () => void }

/** Asks where the people come from and that offering them is lawful; then begins. */
export function ConfirmLawful({ uuid, plan, added, waits, onBack }: ConfirmLawfulProps) {
  const { t, i18n } = useTranslation('leadListImport')
  const language = i18n.language === 'uk' ? 'uk' : 'en'
  const [basis, setBasis] = useState<(typeof LAWFUL_BASES)[number] | null>(null)
  const [source, setSource] = useState('')
  const [confirmed, setConfirmed] = useState(false)
  const start = useSave(leadListImportApi.start, { invalidate: [leadListImportApi.get, leadListImportApi.list] })
  const isReady = basis !== null && source.trim().length >= 5 && confirmed && added > 0
  return (
    <Stack gap="sm" component="section" aria-label={t('lawful')}>
      <Text fw={600}>{t('lawful')}</Text>
      <Group align="start" gap="sm" grow preventGrowOverflow={false} wrap="wrap">
        <Select
          label={t('basis')}
          placeholder={t('basis.choose')}
          withAsterisk
          miw={220}
          data={LAWFUL_BASES.map((value) => ({ value, label: t(`basis.${value}`) }))}
          value={basis}
          onChange={(value) => setBasis(LAWFUL_BASES.find((one) => one === value) ?? null)}
        />
        <TextInput
          label={t('source')}
          placeholder={t('source.example')}
          withAsterisk
          miw={260}
          maxLength={300}
          value={source}
          onChange={(event) => setSource(event.currentTarget.value)}
        />
      </Group>
      <Checkbox label={LAWFUL_STATEMENT[language]} checked={confirmed} onChange={(event) => setConfirmed(event.currentTarget.checked)} />
      <Text size="sm" c="dimmed">
        {t('lawfulKept')}
      </Text>
      <Group justify="space-between">
        <Button variant="default" onClick={onBack}>
          {t('otherFile')}
        </Button>
        <Button
          disabled={!isReady || waits}
          loading={start.isPending}
          onClick={() => basis !== null && start.mutate({ params: { uuid }, body: { ...plan, basis, source, confirmed: true, language } })}
        >
          {t('start', { count: added, number: integer(added) })}
        </Button>
      </Group>
    </Stack>
  )
}
