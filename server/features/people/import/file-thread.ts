import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '#server/platform/errors.ts'
import { readFile, type ReadFile } from './read-file.ts'

/** What a large file is read with, as `readFile` takes it. */
export type FileAsked = Parameters<typeof readFile>
/** What it says, or why it is refused, in words. */
export type FileAnswer = { read: ReadFile } | { problem: string }

function answer(): FileAnswer {
  try {
    return { read: readFile(...(workerData as FileAsked)) } // given by read-file-apart
  } catch (error) {
    if (error instanceof AppError && error.fields?.['file'] !== undefined) return { problem: error.fields['file'] }
    throw error
  }
}

parentPort?.postMessage(answer())
