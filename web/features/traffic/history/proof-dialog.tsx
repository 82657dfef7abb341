import { Alert, Anchor, Button, FileInput, Group, Progress, Stack, Text } from '@mantine/core'
import { IconDownload, IconShieldCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { call } from '#web/api/call.ts'
import { makeProof, readEarlier, type Head, type Told } from '#web/features/traffic/history/proof.ts'
import { integer } from '#web/format.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { download } from '#web/kit/list/export/run-export.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

/** Entries a request fetches: some two megabytes before they are compressed. */
const PAGE = 5_000
const VERIFIER = 'verify-history.mjs'

type State =
  | { kind: 'idle' }
  | { kind: 'running'; entries: number; of: number }
  | { kind: 'told'; told: Told; earlier: Head | undefined }
  | { kind: 'failed'; error: unknown }

/** Checks the own chain of conversions in the browser, and hands out what is needed to check it without Ohma. */
export function ProofDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('conversionImport')
  const [state, setState] = useState<State>({ kind: 'idle' })
  const [file, setFile] = useState<File | null>(null)
  const [wrong, setWrong] = useState(false)
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])

  async function check(): Promise<void> {
    const earlier = file === null ? undefined : await readEarlier(file)
    if (file !== null && earlier === undefined) return setWrong(true)
    const { signal } = abort.current
    setState({ kind: 'running', entries: 0, of: 0 })
    try {
      const told = await makeProof((after_seq) => call(conversionApi.chain, { body: { after_seq, most: PAGE } }, { signal, quiet: true }), {
        origin: location.origin,
        at: new Date().toISOString(),
        earlier,
        onProgress: (share) => !signal.aborted && setState({ kind: 'running', ...share }),
      })
      setState({ kind: 'told', told, earlier })
    } catch (error) {
      if (!signal.aborted) setState({ kind: 'failed', error })
    }
  }

  return (
    <Modal opened onClose={onClose} title={t('proof.title')} centered size={620}>
      <Stack gap="md">
        <p className="ohma-soft">{t('proof.text')}</p>
        {state.kind !== 'told' && (
          <FileInput
            label={t('proof.earlier')}
            description={t('proof.earlierHelp')}
            placeholder={t('proof.earlierChoose')}
            accept=".jsonl"
            clearable
            disabled={state.kind === 'running'}
            value={file}
            error={wrong && t('proof.earlierWrong')}
            onChange={(chosen) => (setFile(chosen), setWrong(false))}
          />
        )}
        {state.kind === 'running' && (
          <div role="status">
            <Progress value={state.of === 0 ? 0 : (state.entries / state.of) * 100} aria-label={t('proof.title')} mb={6} />
            <Text fz={14} c="dimmed">
              {t('proof.checking', { entries: integer(state.entries), of: integer(state.of) })}
            </Text>
          </div>
        )}
        {state.kind === 'failed' && <ErrorState what={t('proof.failed')} error={state.error} onRetry={() => void check()} />}
        {state.kind === 'told' && <Result {...state} />}
        {(state.kind === 'idle' || state.kind === 'running') && (
          <Group justify="flex-end">
            <Button loading={state.kind === 'running'} leftSection={<IconShieldCheck size={16} aria-hidden />} onClick={() => void check()}>
              {t('proof.check')}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}

function Result({ told, earlier }: { told: Told; earlier: Head | undefined }) {
  const { t } = useTranslation('conversionImport')
  if ('brokenAt' in told) return <Bad text={t('proof.brokenAt', { entry: integer(told.brokenAt) })} />
  if ('shorterThan' in told) return <Bad text={t('proof.shorterThan', { entry: integer(told.shorterThan) })} />
  const { proof } = told
  if (proof.entries === 0) return <Alert role="status">{t('proof.none')}</Alert>
  const name = `ohma-history-${proof.head.seq}.jsonl`
  return (
    <Stack gap="md">
      <Alert role="status" color="green" icon={<IconShieldCheck size={18} aria-hidden />}>
        {t('proof.good', { entries: integer(proof.entries), conversions: integer(proof.conversions) })}{' '}
        {earlier && t('proof.goodEarlier', { entries: integer(earlier.seq) })}
      </Alert>
      <CopyField label={t('proof.head')} text={`${proof.head.seq}:${proof.head.hash}`} />
      <Text fz={14} c="dimmed">
        {t('proof.verifierHelp', { file: name })}
      </Text>
      <Group justify="flex-end">
        <Anchor href={`/${VERIFIER}`} download={VERIFIER} fz={14}>
          {t('proof.verifier')}
        </Anchor>
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => download(name, [proof.lines.join('\n'), '\n'], 'application/jsonl')}
        >
          {t('proof.download')}
        </Button>
      </Group>
    </Stack>
  )
}

function Bad({ text }: { text: string }) {
  return (
    <Alert role="alert" color="red">
      {text}
    </Alert>
  )
}
