import { download, downloadCsv } from '#web/kit/list/export/run-export.ts'

export const STATEMENT_KINDS = ['pdf', 'csv', 'json'] as const
export type StatementKind = (typeof STATEMENT_KINDS)[number]

type Load = { pdf: () => Promise<Uint8Array>; texts: () => Promise<{ csv: string; json: string }> }

/** Gives a month's statement to the browser's downloads. */
export async function saveStatement(month: string, kind: StatementKind, { pdf, texts }: Load): Promise<void> {
  if (kind === 'pdf') download(`statement-${month}.pdf`, [new Uint8Array(await pdf())], 'application/pdf')
  else if (kind === 'csv') downloadCsv(`statement-${month}.csv`, (await texts()).csv)
  // without the mark of a CSV: its hash is of these very bytes
  else download(`statement-${month}.json`, [(await texts()).json], 'application/json')
}
