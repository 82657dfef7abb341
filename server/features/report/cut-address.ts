import { isMapped, readAddress, showAddress } from '#server/platform/address.ts'

/** An address as people read it; cut to its network (/24, /48) for those who may not know the visitor. '' once it was cleared. */
export function cutAddress(text: string, cut: boolean): string {
  const bytes = new Uint8Array(16)
  if (readAddress(text, bytes) === 0 || bytes.every((byte) => byte === 0)) return ''
  if (cut) bytes.fill(0, isMapped(bytes) ? 15 : 6)
  return showAddress(bytes)
}
