import { Alert, FileButton, SegmentedControl, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { LARGEST_REPORT, reconciliationApi } from '#contract/money/reconciliation.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { call } from '#web/api/call.ts'
import { query } from '#web/api/query.ts'
import { ReferenceSelect } from '#web/kit/fields/reference-select.tsx'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { useFileReading } from '#web/import/use-file-reading.ts'
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
  const [over, setOver] = useState(false)

  const words = { tooLarge: t('drop.tooLarge'), unread: t('drop.unread') }
  const { reading, problem, refuse, read } = useFileReading({ largest: LARGEST_REPORT, words })
  const take = async (file: File | null | undefined) => {
    if (!file) return
    if (whose === null) return refuse(t('drop.whoFirst'))
    await read(file, async (name, body) => {
      onRead((await call(reconciliationApi.read, { query: { name, [`${side}_uuid`]: whose.uuid }, body }, { quiet: true })).uuid)
    })
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
        take(event.dataTransfer.files[0])
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
          onChange={(file) => void take(file)}
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
