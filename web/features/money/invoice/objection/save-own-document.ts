import { fileApi } from '#contract/network/file.ts'
import { call } from '#web/api/call.ts'
import { download } from '#web/kit/list/export/run-export.ts'

/** Gives the invoice an affiliate wrote itself to the browser's downloads: it is never shown as a page. */
export async function saveOwnDocument({ uuid, name }: { uuid: string; name: string }): Promise<void> {
  download(name, [new Uint8Array(await call(fileApi.get, { params: { uuid } }))], 'application/octet-stream')
}
