/** Calls `end` once when this command is told to stop, or when whoever started it is gone: nobody would wait for what it makes. */
export function onEnd(end: () => void): void {
  let ended = false
  const once = () => {
    if (!ended) end()
    ended = true
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, once)
  process.once('disconnect', once)
}
