import type { Session } from 'chdb'
import { openConnection, type Connection } from './connection.ts'

/** A fixed number of connections, one request on each at a time, the rest waiting in order. */
export type Pool = {
  /** Runs `work` on a connection of its own. Rejects when `signal` fires while the request still waits for one. */
  run<Result>(signal: AbortSignal, work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** Replaces the session under a connection, which is then as good as new. */
  renew(connection: Connection): void
  /** Requests that wait for a connection. */
  waiting(): number
  close(): void
}

/** Makes a pool. Connections are opened on first need and kept. */
export function openPool(size: number, open: () => Session): Pool {
  const idle: Connection[] = []
  const queue: ((connection: Connection) => void)[] = []
  let connections = 0

  const renew = (connection: Connection) => {
    connection.session.close()
    Object.assign(connection, openConnection(open))
  }
  const acquire = (signal: AbortSignal): Promise<Connection> => {
    const free = idle.pop()
    if (free) return Promise.resolve(free)
    if (connections < size) {
      connections += 1
      try {
        return Promise.resolve(openConnection(open))
      } catch (error) {
        connections -= 1
        return Promise.reject(error as Error) // chDB throws Error
      }
    }
    return new Promise((resolve, reject) => {
      const take = (connection: Connection) => {
        signal.removeEventListener('abort', leave)
        resolve(connection)
      }
      const leave = () => {
        queue.splice(queue.indexOf(take), 1)
        reject(new Error('The client went away'))
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.push(take)
    })
  }
  const release = (connection: Connection) => {
    if (connection.spoiled) renew(connection)
    const next = queue.shift()
    if (next) next(connection)
    else idle.push(connection)
  }
  return {
    async run(signal, work) {
      const connection = await acquire(signal)
      try {
        return await work(connection)
      } finally {
        release(connection)
      }
    },
    renew,
    waiting: () => queue.length,
    close() {
      for (const connection of idle.splice(0)) connection.session.close()
    },
  }
}
