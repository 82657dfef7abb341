import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** Sockets whose request was repaired: they serve no other. */
const repaired = new WeakSet<Socket>()

/**
 * A request that node:http refused because of spaces or bytes beyond ASCII in its address (`&comment=перевірено`), as a
 * connection with that one request, its address percent-encoded; null for everything else. Senders of postbacks do so, and
 * a sale must not be lost for it. Whole requests only: the answer goes to the socket, which closes behind it.
 */
export function repairedRequest(socket: Socket, packet: Buffer, parsed: number): Duplex | null {
  const bytes = repair(packet, parsed)
  if (bytes === null || !socket.writable || repaired.has(socket)) return null
  repaired.add(socket)
  const connection = new Duplex({
    read() {},
    write: (chunk: Buffer, encoding, done) => void socket.write(chunk, encoding, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy()
      done(error)
    },
  })
  Object.defineProperty(connection, 'remoteAddress', { value: socket.remoteAddress })
  socket.on('close', () => connection.destroy())
  connection.push(bytes)
  return connection
}

/** The bytes of the request whose address broke off at `parsed`, mended. */
function repair(packet: Buffer, parsed: number): Buffer | null {
  const lineEnd = packet.indexOf('\r\n')
  const headEnd = packet.indexOf('\r\n\r\n')
  // one behind another on the same connection would be answered before it
  if (headEnd < 0 || parsed > lineEnd) return null
  const [, method, address, version] = /^([A-Z]{3,10}) (\/.*) (HTTP\/1\.[01])$/s.exec(packet.latin1Slice(0, lineEnd)) ?? []
  if (address === undefined) return null
  const mended = address.replaceAll(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)
  const headers = packet.latin1Slice(lineEnd + 2, headEnd + 2).replaceAll(/^(connection|keep-alive|upgrade|expect):.*\r\n/gim, '')
  const length = /^content-length:\s*(\d{1,9})\s*\r\n/im.exec(headers)?.[1] ?? '0'
  const body = packet.subarray(headEnd + 4)
  if (mended === address || body.length !== Number(length) || /^transfer-encoding:/im.test(headers) || /\0/.test(address)) return null
  return Buffer.concat([Buffer.from(`${method} ${mended} ${version}\r\nConnection: close\r\n${headers}\r\n`, 'latin1'), body])
}
