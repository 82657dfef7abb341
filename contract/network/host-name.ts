import { z } from 'zod'

const LONGEST_HOST = 253

/**
 * The name of a host as it stands in addresses: lower-case, names in other alphabets in ASCII (`xn--…`), without the root's dot.
 * null for what is none: an address with a port or path, an IP address, a name without a dot.
 */
export function hostName(text: string): string | null {
  const typed = text.trim().toLowerCase().replace(/\.$/, '')
  // what the parser of addresses would read as something else, or drop
  if (typed === '' || /[\s/\\?#@:%[\]<>^|*_\u0000-\u001f\u007f]/.test(typed) || !URL.canParse(`http://${typed}`)) return null
  const host = new URL(`http://${typed}`).hostname
  const labels = host.split('.')
  const plain = labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  return plain && labels.length > 1 && host.length <= LONGEST_HOST && !/^\d+$/.test(labels.at(-1) ?? '') ? host : null
}

/** A field that takes the name of a host in any spelling. */
export const hostField = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(500)
  // an address that names nothing but its host is what people copy
  .overwrite((text) => text.replace(/^https?:\/\/([^/?#@\s]+)\/?$/i, '$1'))
  .refine((text) => hostName(text) !== null, 'Only the name of a host, such as go.example.com: no http://, port, path or IP address')
  .overwrite((text) => hostName(text) ?? text)
