export type Document = { contentType: string; ending: string }

/** What is taken beside pictures, by what its content says it is. Those with macros are others. */
const KINDS: Readonly<Record<string, Document>> = {
  'application/pdf': { contentType: 'application/pdf', ending: 'pdf' },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ending: 'docx',
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ending: 'xlsx',
  },
}

/** What plain text may call itself. */
const TEXT_ENDINGS = ['txt', 'csv', 'log', 'json']

/**
 * What a stranger's file is, by its content: PDF, DOCX, XLSX, or plain text in UTF-8 that calls itself so. Null for all else: programs,
 * archives, pages and drawings, which can carry scripts, also where their name says otherwise.
 */
export async function readDocument(bytes: Uint8Array, name: string): Promise<Document | null> {
  if (bytes.length === 0) return null
  // rare: no start waits for it
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (found !== undefined) return KINDS[found.mime] ?? null
  const ending = endingOf(name)
  if (!TEXT_ENDINGS.includes(ending) || !isPlainText(bytes)) return null
  return { contentType: `text/${ending === 'csv' ? 'csv' : 'plain'}; charset=utf-8`, ending }
}

/** A name to keep a file under: without folders, signs that turn or end a line, and leading dots, with the ending of what it is. */
export function safeName(name: string, fallback: string, ending: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const base = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/\.[^.]{1,12}$/u, '')
    .replace(/^[.\s]+|[.\s]+$/gu, '')
    .slice(0, 100)
    .toWellFormed()
  return `${base === '' ? fallback : base}.${ending}`
}

/** The header that has a browser save a file under its name (RFC 6266); never to show it. */
export function attachmentOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Readable text that is no markup and starts no program. */
function isPlainText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return !/[\u0000-\u0008\u000e-\u001f\u007f]/.test(text) && !/^\s*(<|#!)/.test(text) && !/<(script|svg|html|iframe|object)\b/i.test(text)
  } catch {
    return false
  }
}

function endingOf(name: string): string {
  return /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}
