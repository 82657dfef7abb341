import { openLeadVault } from '#server/features/leads/session/vault.ts'

/** A row as it stands in a file, by its line in a spreadsheet; `beyond`: it holds more than there are columns. */
export type FileRow = { line: number; cells: string[]; beyond: boolean }
export type FileContent = { columns: string[]; rows: FileRow[] }

/** What is kept of a file, so that nobody reads it without the instance's key. */
export function sealContent(secretKey: string | null, content: FileContent): Buffer {
  return openLeadVault(secretKey).sealText(JSON.stringify(content))
}

/** Throws where it was sealed with another key. */
export function openContent(secretKey: string | null, sealed: Buffer): FileContent {
  return JSON.parse(openLeadVault(secretKey).openText(sealed)) as FileContent // as it was sealed
}

/** Whether anything kept of a file tells of somebody: their e-mail address, or their telephone however it is written. */
export function tellsOf({ rows }: FileContent, { phone = '', email = '' }: Readonly<Record<string, string>>): boolean {
  const end = phone.replaceAll(/\D/g, '').slice(-7)
  return rows.some(({ cells }) =>
    cells.some(
      (cell) => (email !== '' && cell.toLowerCase().includes(email)) || (end.length === 7 && cell.replaceAll(/\D/g, '').includes(end)),
    ),
  )
}

/** The file a worker has in hand. */
export type InHand = { get(id: string): FileContent | undefined; take(id: string, content: FileContent): void; drop(): void }

/**
 * Keeps what stands in the file a worker reads, so that it is opened once and not for each of its parts: to open twenty thousand rows takes
 * longer than to add two hundred and fifty. One file at most, until it is over or another one is read.
 */
export function openInHand(): InHand {
  let held: { id: string; content: FileContent } | undefined
  return {
    get: (id) => (held?.id === id ? held.content : undefined),
    take: (id, content) => void (held = { id, content }),
    drop: () => void (held = undefined),
  }
}
