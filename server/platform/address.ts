/** IP addresses as 16 bytes, IPv4 as ::ffff:a.b.c.d, without an allocation per address. */

/** Writes the bytes of an address into `out`; 4 or 6 says which kind, 0 that the text is no address (`out` is then undefined). */
export function readAddress(text: string, out: Uint8Array): 0 | 4 | 6 {
  const length = text.length
  if (length < 2 || length > 60) return 0
  const firstColon = text.indexOf(':')
  if (firstColon < 0) {
    out.fill(0, 0, 10)
    out[10] = 0xff
    out[11] = 0xff
    return readDotted(text, 0, length, out, 12) ? 4 : 0
  }
  return readColons(text, out)
}

/** The text people read: dotted for IPv4, RFC 5952 for IPv6. */
export function showAddress(bytes: Uint8Array): string {
  if (isMapped(bytes)) return `${bytes[12]}.${bytes[13]}.${bytes[14]}.${bytes[15]}`
  let bestFrom = -1
  let bestLength = 1
  for (let from = 0; from < 8; from++) {
    let to = from
    while (to < 8 && bytes[to * 2] === 0 && bytes[to * 2 + 1] === 0) to++
    if (to - from > bestLength) {
      bestFrom = from
      bestLength = to - from
    }
    if (to > from) from = to
  }
  let text = ''
  for (let group = 0; group < 8; group++) {
    if (group === bestFrom) {
      text += '::'
      group += bestLength - 1
      continue
    }
    if (text !== '' && !text.endsWith(':')) text += ':'
    text += ((bytes[group * 2]! << 8) | bytes[group * 2 + 1]!).toString(16)
  }
  return text
}

/** Whether the 16 bytes are an IPv4 address. */
export function isMapped(bytes: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (bytes[i] !== 0) return false
  return bytes[10] === 0xff && bytes[11] === 0xff
}

function readDotted(text: string, from: number, to: number, out: Uint8Array, at: number): boolean {
  let part = 0
  let value = 0
  let digits = 0
  for (let i = from; i <= to; i++) {
    const code = i === to ? 0x2e : text.charCodeAt(i)
    if (code === 0x2e) {
      // A leading zero is octal for some readers and decimal for others.
      if (digits === 0 || value > 255 || part > 3 || (digits > 1 && text.charCodeAt(i - digits) === 0x30)) return false
      out[at + part++] = value
      value = 0
      digits = 0
    } else if (code >= 0x30 && code <= 0x39 && digits < 3) {
      value = value * 10 + code - 0x30
      digits++
    } else return false
  }
  return part === 4
}

function readColons(text: string, out: Uint8Array): 0 | 4 | 6 {
  const zone = text.indexOf('%')
  const length = zone < 0 ? text.length : zone
  let at = 0
  let gap = -1
  let i = 0
  if (text.charCodeAt(0) === 0x3a) {
    if (text.charCodeAt(1) !== 0x3a) return 0
    gap = 0
    i = 2
  }
  while (i < length) {
    let value = 0
    let digits = 0
    const start = i
    for (; i < length; i++) {
      const digit = hexDigit(text.charCodeAt(i))
      if (digit < 0) break
      value = value * 16 + digit
      if (++digits > 4) return 0
    }
    if (i < length && text.charCodeAt(i) === 0x2e) {
      if (at > 12 || !readDotted(text, start, length, out, at)) return 0
      at += 4
      i = length
      break
    }
    if (digits === 0 || at > 14) return 0
    out[at++] = value >> 8
    out[at++] = value & 0xff
    if (i >= length) break
    if (text.charCodeAt(i++) !== 0x3a || i >= length) return 0
    if (text.charCodeAt(i) === 0x3a) {
      if (gap >= 0) return 0
      gap = at
      i++
    }
  }
  if (gap < 0 ? at !== 16 : at > 14) return 0
  if (gap >= 0) {
    out.copyWithin(16 - (at - gap), gap, at)
    out.fill(0, gap, 16 - (at - gap))
  }
  return isMapped(out) ? 4 : 6
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** An address as people read it; cut to its network (/24, /48) for those who may not know the visitor. '' once it was cleared. */
export function readableAddress(text: string, cut: boolean): string {
  const bytes = new Uint8Array(16)
  if (readAddress(text, bytes) === 0 || bytes.every((byte) => byte === 0)) return ''
  if (cut) bytes.fill(0, isMapped(bytes) ? 15 : 6)
  return showAddress(bytes)
}

/**
 * What counts as one address where tries are counted: an IPv4 address in whatever clothes, of an IPv6 one the /64, for that
 * is what a single customer has. A text that is no address counts as itself.
 */
export function lineOf(text: string): string {
  const bytes = new Uint8Array(16)
  if (readAddress(text, bytes) === 0) return text.slice(0, 60)
  if (isMapped(bytes)) return showAddress(bytes)
  bytes.fill(0, 8)
  return `${showAddress(bytes)}/64`
}
