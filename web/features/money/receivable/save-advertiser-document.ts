import { documentApi } from '#contract/money/document.ts'
import { call } from '#web/api/call.ts'
import { download } from '#web/kit/list/export/run-export.ts'

type Named = { uuid: string; id: number; number: string | null }

/** Gives the document of an advertiser's invoice, or its copy with the official number, to the browser's downloads. */
export async function saveAdvertiserInvoice({ uuid, id, number }: Named, which: 'invoice' | 'copy' = 'invoice'): Promise<void> {
  const bytes = await call(documentApi.advertiserInvoice, { params: { uuid }, query: { which } })
  download(`${number ?? `draft-${id}`}${which === 'copy' ? '-copy' : ''}.pdf`, [new Uint8Array(bytes)], 'application/pdf')
}

/** Gives a credit note, or its copy with the official number, to the browser's downloads. */
export async function saveCreditNote({ uuid, number }: { uuid: string; number: string }, which: 'note' | 'copy' = 'note'): Promise<void> {
  const bytes = await call(documentApi.advertiserNote, { params: { uuid }, query: { which } })
  download(`${number}${which === 'copy' ? '-copy' : ''}.pdf`, [new Uint8Array(bytes)], 'application/pdf')
}

/** Gives every line of an advertiser's invoice as CSV to the browser's downloads. */
export async function saveAdvertiserLines({ uuid, id, number }: Named): Promise<void> {
  const bytes = await call(documentApi.advertiserLines, { params: { uuid } })
  download(`${number ?? `draft-${id}`}.csv`, [new Uint8Array(bytes)], 'text/csv;charset=utf-8')
}
