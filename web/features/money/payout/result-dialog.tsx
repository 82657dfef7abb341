import { Button, Checkbox, FileButton, Group, Modal, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ASKED_RESULTS, payoutApi, type PayoutResultRow } from '#contract/money/payout.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { CallError } from '#web/api/call-error.ts'
import { useSave } from '#web/api/query.ts'
import { notify } from '#web/notify.ts'
import { SHOW_FILES } from './payout-words.ts'

type Preview = CallOutput<typeof payoutApi.previewResult>
/** How somebody is asked about what is doubtful. */
const SURE: Readonly<Partial<Record<string, 'result.sure_account' | 'result.sure_recalled' | 'result.sure_fee'>>> = {
  same_account: 'result.sure_account',
  recalled: 'result.sure_recalled',
  fee_odd: 'result.sure_fee',
}

/** Reads what a bank or payment system says of a file: what follows is shown before anything is changed. */
export function ResultDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('payout')
  const [content, setContent] = useState('')
  const [preview, setPreview] = useState<Preview>()
  const [problem, setProblem] = useState('')
  const [sure, setSure] = useState<ReadonlySet<string>>(new Set())
  const read = useSave(payoutApi.previewResult, { form: true })
  const apply = useSave(payoutApi.applyResult, {
    invalidate: SHOW_FILES,
    onSuccess: (counts) => {
      notify.success(t('result.done', counts))
      onClose()
    },
  })
  const choose = async (file: File | null) => {
    if (file === null) return
    const text = await file.text()
    setContent(text)
    setPreview(undefined)
    setProblem('')
    setSure(new Set())
    try {
      setPreview(await read.mutateAsync({ body: { content: text } }))
    } catch (error) {
      setProblem(error instanceof CallError ? (Object.values(error.fields)[0] ?? error.message) : String(error))
    }
  }
  const changes =
    preview?.list.filter(
      ({ reference, note, becomes }) => becomes !== null && (note === null || (ASKED_RESULTS.includes(note) && sure.has(reference))),
    ).length ?? 0
  return (
    <Modal opened onClose={onClose} title={t('result')} centered size={860} closeOnClickOutside={preview === undefined}>
      <p className="ohma-soft">{t('result.text')}</p>
      <FileButton onChange={(file) => void choose(file)} accept=".xml,.csv,.txt,text/csv,application/xml">
        {(props) => (
          <Button {...props} variant="default" loading={read.isPending} data-autofocus>
            {t('result.choose')}
          </Button>
        )}
      </FileButton>
      {problem !== '' && (
        <Text c="var(--ohma-bad)" mt={10} role="alert">
          {problem}
        </Text>
      )}
      {preview !== undefined && (
        <>
          <Text fw={600} mt={12} aria-live="polite">
            {t('result.found', { count: preview.rows, changes })}
          </Text>
          {preview.others > 0 && <p className="ohma-soft">{t('result.others', { count: preview.others })}</p>}
          <Rows
            list={preview.list}
            sure={sure}
            onSure={(reference) =>
              setSure((now) => {
                const next = new Set(now)
                if (!next.delete(reference)) next.add(reference)
                return next
              })
            }
          />
        </>
      )}
      <Group justify="flex-end" mt={16} gap={8}>
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
        <Button
          loading={apply.isPending}
          disabled={changes === 0}
          onClick={() => apply.mutate({ body: { content, confirmed: [...sure] } })}
        >
          {t('result.apply')}
        </Button>
      </Group>
    </Modal>
  )
}

function Rows({
  list,
  sure,
  onSure,
}: {
  list: readonly PayoutResultRow[]
  sure: ReadonlySet<string>
  onSure: (reference: string) => void
}) {
  const { t } = useTranslation('payout')
  return (
    <Table.ScrollContainer minWidth={620} mah={360}>
      <Table verticalSpacing={5} horizontalSpacing={8} tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('reference')}</Table.Th>
            <Table.Th>{t('affiliate')}</Table.Th>
            <Table.Th ta="right">{t('result.theirs')}</Table.Th>
            <Table.Th ta="right">{t('result.ours')}</Table.Th>
            <Table.Th>{t('result.follows')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.map((row, at) => (
            <Table.Tr key={`${at} ${row.reference}`}>
              <Table.Td>{row.reference}</Table.Td>
              <Table.Td>{row.affiliate}</Table.Td>
              <Table.Td ta="right">{row.amount ?? '–'}</Table.Td>
              <Table.Td ta="right">{row.ours ?? '–'}</Table.Td>
              <Table.Td>
                {row.note !== null && ASKED_RESULTS.includes(row.note) && row.becomes !== null ? (
                  <Checkbox
                    size="xs"
                    checked={sure.has(row.reference)}
                    onChange={() => onSure(row.reference)}
                    c={row.note === 'recalled' ? 'var(--ohma-bad)' : undefined}
                    label={t(SURE[row.note] ?? 'result.sure', { becomes: t(`payment.${row.becomes}`) })}
                    description={/[1-9]/.test(row.fee) ? t('result.fee', { fee: row.fee }) : undefined}
                  />
                ) : row.note !== null ? (
                  <Text fz={13} c="dimmed">
                    {t(`note.${row.note}`, { said: row.said, fee: row.fee })}
                  </Text>
                ) : (
                  row.becomes !== null && [t(`payment.${row.becomes}`), row.reason].filter(Boolean).join(' · ')
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
