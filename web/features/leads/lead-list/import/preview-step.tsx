import { Button, Group, Loader, Select, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { leadListImportApi, type LeadListImportDetail, type LeadListImportPlan } from '#contract/leads/lead-list-import.ts'
import { LEAD_LIST_FIELDS } from '#contract/leads/lead-list-mapping.ts'
import { LEFT_OUT } from '#contract/leads/lead-list.ts'
import { query } from '#web/api/query.ts'
import { ConfirmLawful } from '#web/features/leads/lead-list/import/confirm-lawful.tsx'
import { FirstRows } from '#web/features/leads/lead-list/import/first-rows.tsx'
import { NotTaken } from '#web/features/leads/lead-list/import/not-taken.tsx'
import { integer } from '#web/format.ts'
import { ColumnMapping } from '#web/import/column-mapping.tsx'
import { ImportCounts } from '#web/import/import-counts.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import classes from '#web/import/import.module.css'

type PreviewStepProps = { detail: LeadListImportDetail; onBack: () => void }

/** One of them has to be there. */
const NEEDED: readonly string[] = ['email', 'phone']

/** Which column is what, and beneath it what the file would come to by that; then begins. */
export function PreviewStep({ detail, onBack }: PreviewStepProps) {
  const { t } = useTranslation('leadListImport')
  const { columns, samples } = detail
  const [plan, setPlan] = useState<LeadListImportPlan>({ mapping: detail.mapping, country: null })
  const { mapping } = plan
  const unread = columns.flatMap((name, place) =>
    Object.values(mapping).includes(place) ? [] : [name || t('unnamed', { number: place + 1 })],
  )
  const isReachable = mapping.phone !== undefined || mapping.email !== undefined
  return (
    <Stack>
      <Text size="sm">{t('read', { file: detail.file_name || t('noName'), rows: integer(detail.rows) })}</Text>
      <ColumnMapping
        fields={LEAD_LIST_FIELDS.map((field) => ({ field, label: `${t(`field.${field}`)}${NEEDED.includes(field) ? ' *' : ''}` }))}
        columns={columns}
        samples={samples}
        mapping={mapping}
        onChange={(next) => setPlan({ ...plan, mapping: next })}
        words={{ legend: t('columns'), none: t('none'), unnamed: (number) => t('unnamed', { number }) }}
      />
      <Text size="sm" c="dimmed">
        {t('needed')}
      </Text>
      {unread.length > 0 && (
        <Text size="sm" c="var(--ohma-waiting)" style={{ overflowWrap: 'anywhere' }}>
          {t('unreadColumns', { columns: unread.join(', ') })}
        </Text>
      )}
      <Select
        label={t('country')}
        description={t('countryHelp')}
        placeholder={t('country.none')}
        data={useCountryOptions()}
        searchable
        clearable
        limit={60}
        maw={380}
        value={plan.country}
        onChange={(country) => setPlan({ ...plan, country })}
      />
      {mapping.ip === undefined && (
        <Text size="sm" c="dimmed">
          {t('noIp')}
        </Text>
      )}
      {isReachable ? (
        <Preview detail={detail} plan={plan} onBack={onBack} />
      ) : (
        <>
          <Text size="sm" c="red" role="status">
            {t('needContact')}
          </Text>
          <div>
            <Button variant="default" onClick={onBack}>
              {t('otherFile')}
            </Button>
          </div>
        </>
      )}
    </Stack>
  )
}

function Preview({ detail, plan, onBack }: PreviewStepProps & { plan: LeadListImportPlan }) {
  const { t } = useTranslation('leadListImport')
  const asked = { params: { uuid: detail.uuid }, body: plan }
  const found = useQuery({ ...query(leadListImportApi.preview, asked, { quiet: true }), staleTime: 0, placeholderData: keepPreviousData })
  if (found.isError) return <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined)
    return (
      <Group role="status">
        <Loader size={18} /> {t('previewing')}
      </Group>
    )
  const { added, known, refused, left_out, list, not_taken } = found.data
  const more = refused + Object.values(left_out).reduce((sum, rows) => sum + rows, 0) - not_taken.length
  return (
    <Stack aria-busy={found.isFetching} className={found.isPlaceholderData ? classes.stale : undefined}>
      <Text fw={600}>{t('preview')}</Text>
      <ImportCounts
        of={[
          { label: t('count.added'), value: added },
          { label: t('count.known'), value: known },
          ...LEFT_OUT.flatMap((reason) => (left_out[reason] ? [{ label: t(`problem.${reason}`), value: left_out[reason] }] : [])),
          ...(refused > 0 ? [{ label: t('count.refused'), value: refused }] : []),
        ]}
      />
      {list.length > 0 && <FirstRows of={list} />}
      {not_taken.length > 0 && <NotTaken of={not_taken} more={more} columns={detail.columns} mapping={plan.mapping} />}
      <ConfirmLawful uuid={detail.uuid} plan={plan} added={added} waits={found.isPlaceholderData} onBack={onBack} />
    </Stack>
  )
}
