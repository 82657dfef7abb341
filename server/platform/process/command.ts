import { fork } from 'node:child_process'
import { join } from 'node:path'
import { giveWay } from './priority.ts'

const MAIN = join(import.meta.dirname, '../../main.ts')
const LONGEST_OUTPUT = 8_000

/**
 * Runs one of our own commands (`main.ts backup <file>`) as a process of low priority, and answers what it printed. Throws its last
 * line when it fails. It ends when `signal` is aborted or when we die.
 */
export async function runOwnCommand(args: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  const child = fork(MAIN, [...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
  if (child.pid !== undefined) giveWay(child.pid)
  let output = ''
  const hear = (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-LONGEST_OUTPUT))
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (ended) => resolve(ended))
    })
    if (code === 0) return output
    throw new Error(signal.aborted ? 'interrupted' : lastWords(output) || `ended with code ${code}`)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** What is said last, without the seconds before it. */
function lastWords(output: string): string {
  const lines = output.trim().split('\n')
  return lines
    .slice(-3)
    .join(' ')
    .replaceAll(/\[\s*[\d.]+ s\] /g, '')
    .slice(-600)
}
