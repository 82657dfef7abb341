import { Button, FileButton, Group, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { domainApi, LARGEST_UNSAFE_LIST } from '#contract/network/domain.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { fieldText } from '#web/i18n/language.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { notify } from '#web/notify.ts'
import { Modal } from '#web/kit/page/modal.tsx'

/** The list of hosts somebody says are unsafe: replaced by a file or by what is pasted. Nobody else is asked. */
export function UnsafeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('domain')
  const { data } = useQuery(query(domainApi.unsafe, {}))
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState('')
  const send = useSave(domainApi.importUnsafe, {
    form: true,
    invalidate: [domainApi.unsafe, domainApi.list, domainApi.get],
    onSuccess: ({ rows, skipped }) => {
      setText('')
      notify.success(t('unsafe.done', { rows: integer(rows), skipped: integer(skipped) }))
    },
  })
  const take = (bytes: Uint8Array<ArrayBuffer>, name: string) => {
    setWrong('')
    if (bytes.length > LARGEST_UNSAFE_LIST) return setWrong(t('unsafe.large'))
    send.mutate({ query: { name }, body: bytes }, { onError: ({ fields }) => setWrong(fieldText(fields['list'] ?? '')) })
  }
  const clear = async () => {
    if (await confirm({ title: t('unsafe.clear'), text: t('unsafe.clearText'), action: t('unsafe.clear'), danger: true }))
      take(new Uint8Array(), '')
  }
  return (
    <Modal opened onClose={onClose} title={t('unsafe')} centered size={520}>
      <Stack gap="sm">
        <Text fz={13.5} c="dimmed">
          {t('unsafe.text')}
        </Text>
        {data === undefined ? (
          <Skeleton height={20} />
        ) : (
          <Text fz={14}>
            {data.rows === 0 ? t('unsafe.none') : t('unsafe.rows', { count: data.rows, rows: integer(data.rows) })}
            {data.rows > 0 && data.imported_at !== null && (
              <>
                {' · '}
                {data.name !== '' && `${data.name} · `}
                <Moment at={data.imported_at} />
              </>
            )}
          </Text>
        )}
        <Textarea
          label={t('unsafe.paste')}
          description={t('unsafe.pasteHelp')}
          autosize
          minRows={4}
          maxRows={10}
          value={text}
          error={wrong}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="space-between">
          <Group gap="xs">
            <FileButton
              accept="text/plain,text/csv,.txt,.csv,.list"
              onChange={(file) => file && void file.arrayBuffer().then((content) => take(new Uint8Array(content), file.name.slice(-200)))}
            >
              {(props) => (
                <Button {...props} variant="default" loading={send.isPending}>
                  {t('unsafe.file')}
                </Button>
              )}
            </FileButton>
            {data !== undefined && data.rows > 0 && (
              <Button variant="subtle" color="red" onClick={() => void clear()}>
                {t('unsafe.clear')}
              </Button>
            )}
          </Group>
          <Button disabled={text.trim() === ''} loading={send.isPending} onClick={() => take(new TextEncoder().encode(text), '')}>
            {t('unsafe.replace')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
