/** Byte loops of the core: each writes into `out` from `at` and returns where it stopped. */

/** What `encodeValue` leaves as it is. */
export const ENCODED = tableOf(/[A-Za-z0-9\-._~]/)
/** What `headerSafe` leaves as it is. */
export const RAW = tableOf(/[^\u0000-\u0020\u007f-\u00ff"<>\\^`{|}]/)

const HEX = Buffer.from('0123456789ABCDEF', 'latin1')

/** Copies bytes; those the table does not allow become %XX. `to` -1 means all. */
export function writeVia(table: Uint8Array, out: Uint8Array, at: number, bytes: Uint8Array, from: number, to: number): number {
  const end = to < 0 ? bytes.length : to
  for (let i = from; i < end; i++) {
    const byte = bytes[i]!
    if (table[byte] === 1) out[at++] = byte
    else {
      out[at] = 0x25
      out[at + 1] = HEX[byte >> 4]!
      out[at + 2] = HEX[byte & 15]!
      at += 3
    }
  }
  return at
}

/** Copies bytes as a TabSeparated field. Control characters were dropped before, which leaves the backslash. */
export function writeEscaped(out: Uint8Array, at: number, bytes: Uint8Array, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if (byte === 0x5c) out[at++] = 0x5c
    out[at++] = byte
  }
  return at
}

/** Copies a short ASCII text. */
export function writeText(out: Uint8Array, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i)
  return at + text.length
}

/** Writes a whole number below 2^53 in decimal. */
export function writeNumber(out: Uint8Array, at: number, value: number): number {
  if (value <= 0xffffffff) return writeWord(out, at, value >>> 0)
  // Two halves of integers are cheaper than digits of a float.
  const high = Math.floor(value / 1e8)
  const end = writeWord(out, at, high) + 8
  let low = (value - high * 1e8) >>> 0
  for (let i = end - 1; i >= end - 8; i--) {
    const rest = (low / 10) >>> 0
    out[i] = 48 + low - rest * 10
    low = rest
  }
  return end
}

// `>>> 0` everywhere tells the compiler that these are integers: divisions by ten become multiplications.
function writeWord(out: Uint8Array, at: number, value: number): number {
  let left = value >>> 0
  const digits =
    left < 10
      ? 1
      : left < 100
        ? 2
        : left < 1000
          ? 3
          : left < 10_000
            ? 4
            : left < 100_000
              ? 5
              : left < 1_000_000
                ? 6
                : left < 10_000_000
                  ? 7
                  : left < 100_000_000
                    ? 8
                    : left < 1_000_000_000
                      ? 9
                      : 10
  for (let i = at + digits - 1; i >= at; i--) {
    const rest = (left / 10) >>> 0
    out[i] = 48 + left - rest * 10
    left = rest
  }
  return at + digits
}

function tableOf(allowed: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_value, byte) => (allowed.test(String.fromCharCode(byte)) ? 1 : 0))
}
