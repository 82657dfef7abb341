import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from './certificates.ts'

/**
 * The pairs in a folder: `<name>.crt` or `<name>.pem`, the certificate with those above it, beside `<name>.key`. Throws where the folder
 * cannot be read; a certificate without its key is passed over.
 */
export function readCertificateFiles(folder: string): Certificate[] {
  const names = new Set(readdirSync(folder))
  return [...names].toSorted().flatMap((name) => {
    const [, stem] = /^(.+)\.(?:crt|pem)$/.exec(name) ?? []
    if (stem === undefined || !names.has(`${stem}.key`)) return []
    return [{ cert: readFileSync(join(folder, name), 'utf8'), key: readFileSync(join(folder, `${stem}.key`), 'utf8') }]
  })
}
