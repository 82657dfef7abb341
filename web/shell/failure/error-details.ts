import { CallError } from '#web/api/call-error.ts'

export type Circumstances = { address: string; time: string; version: string; browser: string }

/** What support needs to know about an error, as text. The address goes without its query, which may hold names people searched for. */
export function errorDetails(error: unknown, where: Circumstances): string {
  const lines = [
    error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}`,
    ...(error instanceof CallError && error.requestId !== undefined ? [`Request: ${error.requestId}`] : []),
    `Address: ${where.address.replace(/[?#].*$/, '')}`,
    `Time: ${where.time}`,
    `Version: ${where.version}`,
    `Browser: ${where.browser}`,
  ]
  if (error instanceof Error && error.stack !== undefined) lines.push('', error.stack)
  return lines.join('\n')
}
