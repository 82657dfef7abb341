import type { Session } from 'chdb'
import { openSeat, type Seat } from './seat.ts'

/** A fixed number of connections, one request on each at a time, the rest waiting in order. */
export type Lane = {
  /** Runs `work` on a connection of its own. Rejects when `signal` fires while the request still waits for one. */
  run<Result>(signal: AbortSignal, work: (seat: Seat) => Promise<Result>): Promise<Result>
  /** Replaces the connection under a seat, which is then as good as new. */
  renew(seat: Seat): void
  /** Requests that wait for a connection. */
  waiting(): number
  close(): void
}

/** Makes a lane. Connections are opened on first need and kept. */
export function openLane(size: number, open: () => Session): Lane {
  const idle: Seat[] = []
  const queue: ((seat: Seat) => void)[] = []
  let seats = 0

  const renew = (seat: Seat) => {
    seat.session.close()
    Object.assign(seat, openSeat(open))
  }
  const acquire = (signal: AbortSignal): Promise<Seat> => {
    const free = idle.pop()
    if (free) return Promise.resolve(free)
    if (seats < size) {
      seats += 1
      try {
        return Promise.resolve(openSeat(open))
      } catch (error) {
        seats -= 1
        return Promise.reject(error as Error) // chDB throws Error
      }
    }
    return new Promise((resolve, reject) => {
      const take = (seat: Seat) => {
        signal.removeEventListener('abort', leave)
        resolve(seat)
      }
      const leave = () => {
        queue.splice(queue.indexOf(take), 1)
        reject(new Error('The client went away'))
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.push(take)
    })
  }
  const release = (seat: Seat) => {
    if (seat.spoiled) renew(seat)
    const next = queue.shift()
    if (next) next(seat)
    else idle.push(seat)
  }
  return {
    async run(signal, work) {
      const seat = await acquire(signal)
      try {
        return await work(seat)
      } finally {
        release(seat)
      }
    },
    renew,
    waiting: () => queue.length,
    close() {
      for (const seat of idle.splice(0)) seat.session.close()
    },
  }
}
