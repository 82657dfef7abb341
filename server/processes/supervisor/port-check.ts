import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { commandOf } from '#server/platform/process/identity.ts'
import { StartError } from './console-output.ts'

/** Throws `StartError` when a port cannot be listened on, naming who holds it where the system tells. */
export async function refuseTakenPort(host: string, port: number, variable: string): Promise<void> {
  const code = await tryPort(host, port)
  if (code === null) return
  if (code === 'EADDRINUSE') {
    const holder = holderOf(port)
    throw new StartError(
      `Port ${port} is already in use${holder === null ? '' : ` by ${holder}`}.\nStop that program, or choose another port: ${variable}=${port + 10} npm start`,
    )
  }
  if (code === 'EACCES')
    throw new StartError(
      `This user may not listen on port ${port}.\nChoose a port above 1023 with ${variable}, put a proxy in front, or let this user take low ports (docs/operating.md: Going live).`,
    )
  if (code === 'EADDRNOTAVAIL')
    throw new StartError(`This machine has no address ${host}.\nSet HOST to one it has, for example 127.0.0.1 or 0.0.0.0.`)
  throw new StartError(`Cannot listen on ${host}, port ${port}: ${code}.`)
}

function tryPort(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

/** "process 123 (node server.js)", from Linux' own tables; null elsewhere and for other people's processes. */
function holderOf(port: number): string | null {
  try {
    const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listening(readFileSync(`/proc/net/${table}`, 'utf8'), port)))
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (!openFiles(pid).some((file) => sockets.has(file))) continue
      const [program = '', ...rest] = commandOf(Number(pid)) ?? []
      return `process ${pid} (${[program.split('/').at(-1), ...rest].join(' ').slice(0, 60)})`
    }
  } catch {}
  return null
}

/** Socket links of the entries that listen (state 0A) on the port. */
function listening(table: string, port: number): string[] {
  const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(hex) && fields[3] === '0A')
    .map((fields) => `socket:[${fields[9]}]`)
}

function openFiles(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`)
      } catch {
        return ''
      }
    })
  } catch {
    return []
  }
}
