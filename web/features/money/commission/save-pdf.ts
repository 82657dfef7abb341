import { commissionApi } from '#contract/money/commission.ts'
import { call } from '#web/api/call.ts'
import { download } from '#web/kit/list/export/run-export.ts'

/** Gives a frozen statement to the browser's downloads. */
export async function savePdf(uuid: string, name: string): Promise<void> {
  const bytes = await call(commissionApi.pdf, { params: { uuid } })
  download(`commission-${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.pdf`, [new Uint8Array(bytes)], 'application/pdf')
}
