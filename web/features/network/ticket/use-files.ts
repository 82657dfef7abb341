import { useRef, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fileApi, LARGEST_FILE } from '#contract/network/file.ts'
import { MOST_TICKET_FILES } from '#contract/network/ticket.ts'
import { call } from '#web/api/call.ts'
import { fetchTelling } from '#web/api/upload-fetch.ts'
import { notify } from '#web/notify.ts'

/** A file of a message that is being written: `uuid` once the server has it. */
export type DraftFile = { key: number; name: string; part: number; uuid: string | null }

/** The files of a message: sent to the server as they are chosen, pasted or dropped, each with how much of it has left. */
export function useFiles() {
  const { t } = useTranslation('ticket')
  const [files, setFiles] = useState<readonly DraftFile[]>([])
  const next = useRef(1)
  const change = (key: number, values: Partial<DraftFile>) =>
    setFiles((those) => those.map((one) => (one.key === key ? { ...one, ...values } : one)))
  const send = async (key: number, file: File) => {
    try {
      const body = new Uint8Array(await file.arrayBuffer())
      const fetch = fetchTelling((part) => change(key, { part }))
      const { uuid, name } = await call(fileApi.upload, { query: { kind: 'ticket', name: file.name.slice(-200) }, body }, { fetch })
      change(key, { uuid, name, part: 1 })
    } catch {
      // the call has said why
      setFiles((those) => those.filter((one) => one.key !== key))
    }
  }
  return {
    files,
    sending: files.some(({ uuid }) => uuid === null),
    add: (chosen: readonly File[]) => {
      const room = MOST_TICKET_FILES - files.length
      if (chosen.length > room) notify.error(t('files.most', { number: MOST_TICKET_FILES }))
      const taken = chosen.slice(0, room).filter((file) => {
        if (file.size <= LARGEST_FILE) return true
        notify.error(t('files.tooLarge', { name: file.name }))
        return false
      })
      const fresh = taken.map((file) => ({ file, draft: { key: next.current++, name: file.name, part: 0, uuid: null } }))
      setFiles((those) => [...those, ...fresh.map(({ draft }) => draft)])
      for (const { file, draft } of fresh) void send(draft.key, file)
    },
    remove: (key: number) => setFiles((those) => those.filter((one) => one.key !== key)),
    clear: () => setFiles([]),
  }
}
