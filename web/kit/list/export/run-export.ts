import type { LoadAll } from '#web/api/load-all.ts'
import { csvFileName, toCsv, type ExportColumn } from '#web/kit/list/export/csv.ts'

export type ExportJob<Row> = {
  loader: LoadAll<Row>
  columns: readonly ExportColumn<Row>[]
  fileName: string
  /** What the file says below its rows, in the language of the panel. */
  texts: { total: string; missing: (rows: string) => string }
}
export type ExportProgress = { loaded: number; rows: number | undefined }

/** Why there is no file, or that there is one. `partial`: some requests failed; running the same job again asks only for these. */
export type ExportOutcome =
  | { kind: 'noMapping' }
  | { kind: 'noName' }
  | { kind: 'none' }
  | { kind: 'failed' }
  | { kind: 'partial'; failed: number }
  | { kind: 'complete' }
  | { kind: 'stopped' }

/** Loads everything and hands the file over. Nothing is requested without a column mapping and a file name. */
export async function runExport<Row>(
  job: ExportJob<Row>,
  {
    save,
    onProgress,
    signal,
  }: { save: (name: string, csv: string) => void; onProgress: (progress: ExportProgress) => void; signal: AbortSignal },
): Promise<ExportOutcome> {
  if (job.columns.length === 0) return { kind: 'noMapping' }
  if (job.fileName.trim() === '') return { kind: 'noName' }
  try {
    const { failed } = await job.loader.run({ signal, onProgress })
    if (signal.aborted) return { kind: 'stopped' }
    const loaded = job.loader.rows().length
    if (failed > 0) return loaded === 0 ? { kind: 'failed' } : { kind: 'partial', failed }
    if (loaded === 0) return { kind: 'none' }
    saveExport(job, save)
    return { kind: 'complete' }
  } catch {
    return { kind: signal.aborted ? 'stopped' : 'failed' }
  }
}

/** Hands over the file with what was loaded so far; one with gaps says so in its last line. */
export function saveExport<Row>({ loader, columns, fileName, texts }: ExportJob<Row>, save: (name: string, csv: string) => void): void {
  const missing = missingRows(loader)
  const note = missing === '' ? {} : { note: texts.missing(missing) }
  save(csvFileName(fileName), toCsv(columns, loader.rows(), { totals: { of: loader.totals(), label: texts.total }, ...note }))
}

/** The rows an export lacks, such as `101–200, 401–850`; empty when it has all. */
export function missingRows<Row>(loader: LoadAll<Row>): string {
  return loader
    .missing()
    .map(({ from, to }) => `${from}–${to}`)
    .join(', ')
}

/** Gives CSV to the browser's downloads. The mark in front tells Excel that the text is UTF-8. */
export function downloadCsv(name: string, csv: string): void {
  download(name, ['\ufeff', csv], 'text/csv;charset=utf-8')
}

/** Gives a file to the browser's downloads. */
export function download(name: string, parts: BlobPart[], type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // the download has its own copy by then; Safari needs the moment
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
