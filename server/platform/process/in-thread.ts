import { Worker } from 'node:worker_threads'

/** What is read in a thread may have so much memory and time: a small file can stand for a huge one. */
const MOST_MEMORY_MB = 768
const LONGEST_MS = 60_000

let busy: Promise<unknown> = Promise.resolve()

/**
 * What a module answers by its first message of the data it is given, in a thread of its own: whoever answers everybody goes on meanwhile.
 * One at a time, each may take much memory. undefined where it breaks, ends without an answer, or takes too much memory or time. What it
 * answers is copied while everybody waits: the module bounds it.
 */
export function inThread<Answer>(module: URL, data: unknown): Promise<Answer | undefined> {
  const answer = busy.then(() => run<Answer>(module, data))
  // one that cannot even begin keeps nobody else
  busy = answer.catch(() => undefined)
  return answer
}

function run<Answer>(module: URL, data: unknown): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
  const broken = () => resolve(undefined)
  const worker = new Worker(module, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    stdout: true,
    stderr: true,
  })
  const timer = setTimeout(broken, LONGEST_MS)
  worker.once('message', resolve)
  worker.once('error', broken)
  worker.once('exit', broken)
  return promise.finally(() => {
    clearTimeout(timer)
    void worker.terminate()
  })
}
