import { documentApi } from '#contract/money/document.ts'
import { call } from '#web/api/call.ts'
import { download } from '#web/kit/list/export/run-export.ts'

type Named = { uuid: string; number: string | null }

/** Gives the document of an invoice, its copy, its act or its credit note to the browser's downloads; to an affiliate its own. */
export async function saveDocument(
  { uuid, number }: Named,
  which: 'invoice' | 'credit_note' | 'copy' | 'act',
  own: boolean,
): Promise<void> {
  const asked = { params: { uuid }, query: { which } }
  const bytes = await call(own ? documentApi.ownInvoice : documentApi.invoice, asked)
  download(
    `${number ?? `draft-${uuid.slice(0, 8)}`}${which === 'copy' || which === 'act' ? `-${which}` : ''}.pdf`,
    [new Uint8Array(bytes)],
    'application/pdf',
  )
}

/** Gives a credit note, or its copy with the official number, to the browser's downloads; to an affiliate its own. */
export async function saveNote(
  { uuid, number }: { uuid: string; number: string },
  own: boolean,
  which: 'note' | 'copy' = 'note',
): Promise<void> {
  const bytes = await call(own ? documentApi.ownNote : documentApi.note, { params: { uuid }, query: { which } })
  download(`${number}${which === 'copy' ? '-copy' : ''}.pdf`, [new Uint8Array(bytes)], 'application/pdf')
}

/** Gives every line of an invoice as CSV to the browser's downloads. */
export async function saveLines({ uuid, number }: Named, own: boolean): Promise<void> {
  const bytes = await call(own ? documentApi.ownInvoiceLines : documentApi.invoiceLines, { params: { uuid } })
  download(`${number ?? 'draft'}.csv`, [new Uint8Array(bytes)], 'text/csv;charset=utf-8')
}
