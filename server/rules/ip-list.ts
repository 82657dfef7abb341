import { BlockList, isIP } from 'node:net'

/** Whether an address stands on a list of addresses and networks (`10.0.0.0/8`, `2001:db8::/32`). IPv4 in IPv6 clothes is IPv4. */
export function isOnIpList(address: string, list: readonly string[]): boolean {
  const plain = plainAddress(address)
  const version = isIP(plain)
  if (version === 0) return false
  const block = new BlockList()
  for (const entry of list) {
    const [network = '', bits] = entry.split('/')
    const family = isIP(network)
    if (family === 0) continue
    const type = family === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) block.addAddress(network, type)
    else block.addSubnet(network, Number(bits), type)
  }
  return block.check(plain, version === 4 ? 'ipv4' : 'ipv6')
}

/** What is wrong with an entry of such a list; null = nothing. */
export function ipListMistake(entry: string): string | null {
  const [network = '', bits, ...rest] = entry.split('/')
  const family = isIP(network)
  const wellFormed =
    family !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  return wellFormed ? null : `"${entry}" is no address or network such as 203.0.113.0/24`
}

/** `::ffff:192.0.2.1` → `192.0.2.1`. */
function plainAddress(address: string): string {
  const match = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  return match?.[1] ?? address
}
