import { Alert, FileButton, SegmentedControl, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { LARGEST_REPORT, reconciliationApi } from '#contract/money/reconciliation.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { call } from '#web/api/call.ts'
import { CallError, messagesOf } from '#web/api/call-error.ts'
import { query } from '#web/api/query.ts'
import { ReferenceSelect } from '#web/kit/fields/reference-select.tsx'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { fieldText } from '#web/i18n/language.ts'
import classes from '#web/features/money/reconciliation/reconciliation.module.css'

type Side = 'advertiser' | 'affiliate'

/** Takes a report: whose it is, and the file, dropped or chosen. */
export function ReportDrop({ onRead }: { onRead: (uuid: string) => void }) {
  const { t } = useTranslation('reconciliation')
  const [params] = useSearchParams()
  const named = params.get('of')
  const [side, setSide] = useState<Side>('advertiser')
  const [picked, setPicked] = useState<ReferenceRow | null>(null)
  const known = useQuery({ ...query(advertiserApi.options, { body: { search: named ?? '' } }, { quiet: true }), enabled: named !== null })
  const whose = picked ?? (side === 'advertiser' ? (known.data?.list.find(({ uuid }) => uuid === named) ?? null) : null)
  const [reading, setReading] = useState(false)
  const [over, setOver] = useState(false)
  const [problem, setProblem] = useState('')

  const read = async (file: File | null | undefined) => {
    if (!file) return
    setProblem('')
    if (whose === null) return setProblem(t('drop.whoFirst'))
    if (file.size > LARGEST_REPORT) return setProblem(t('drop.tooLarge'))
    setReading(true)
    try {
      const body = new Uint8Array(await file.arrayBuffer())
      const { uuid } = await call(
        reconciliationApi.read,
        { query: { name: file.name.slice(-200), [`${side}_uuid`]: whose.uuid }, body },
        { quiet: true },
      )
      onRead(uuid)
    } catch (error) {
      setProblem(saidOf(error) ?? t('drop.unread'))
    }
    setReading(false)
  }
  return (
    // a file that is dropped may be chosen by the button as well
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label={t('drop.title')}
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void read(event.dataTransfer.files[0])
      }}
    >
      <div>
        <h2>{t('drop.title')}</h2>
        <Text fz={13} c="dimmed">
          {t(side === 'advertiser' ? 'drop.text' : 'drop.textTracker')}
        </Text>
      </div>
      <div className={classes.dropFields}>
        <SegmentedControl
          aria-label={t('drop.side')}
          data={[
            { value: 'advertiser', label: t('drop.advertiser') },
            { value: 'affiliate', label: t('drop.affiliate') },
          ]}
          value={side}
          onChange={(value) => {
            setSide(value === 'affiliate' ? 'affiliate' : 'advertiser')
            setPicked(null)
          }}
        />
        {side === 'advertiser' ? (
          <ReferenceSelect
            key="advertiser"
            endpoint={advertiserApi.options}
            aria-label={t('advertiser')}
            value={whose?.uuid ?? null}
            chosen={whose}
            onChoose={(one) => setPicked(one)}
            w={260}
          />
        ) : (
          <ReferenceSelect
            key="affiliate"
            endpoint={affiliateApi.list}
            aria-label={t('affiliate')}
            value={whose?.uuid ?? null}
            chosen={whose}
            onChoose={(one) => setPicked(one)}
            w={260}
          />
        )}
        <FileButton
          accept=".csv,.txt,.tsv,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          onChange={(file) => void read(file)}
        >
          {(props) => (
            <ReasonButton
              {...props}
              loading={reading}
              why={whose === null ? t(`drop.whose.${side}`) : undefined}
              leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
            >
              {t('drop.choose')}
            </ReasonButton>
          )}
        </FileButton>
      </div>
      {problem !== '' && (
        <Alert color="red" variant="light" role="alert">
          {problem}
        </Alert>
      )}
    </section>
  )
}

/** What the server says is wrong with a file; undefined where it did not come that far. */
function saidOf(error: unknown): string | undefined {
  if (!(error instanceof CallError) || error.status === 0) return undefined
  const { file } = error.fields
  return file === undefined ? messagesOf(error).join(' ') : fieldText(file)
}
