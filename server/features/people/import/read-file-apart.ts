import { AppError } from '#server/platform/errors.ts'
import { inThread } from '#server/platform/process/in-thread.ts'
import type { FileAnswer, FileAsked } from './file-thread.ts'
import { readFile, type ReadFile } from './read-file.ts'

/** Bytes that are read at once, in some hundredths of a second; more may take half a minute, by what stands in them. */
const AT_ONCE = 256 * 1024

/** The same as `readFile`, of a large file in a thread of its own. Throws `invalid_input` at `file`, in words. */
export async function readFileApart(...asked: FileAsked): Promise<ReadFile> {
  if (asked[0].length <= AT_ONCE) return readFile(...asked)
  const answer = await inThread<FileAnswer>(new URL('./file-thread.ts', import.meta.url), asked)
  if (answer !== undefined && 'read' in answer) return answer.read
  const problem = answer?.problem ?? 'This file cannot be read: divide it, or look for quotation marks that stand alone in it'
  throw new AppError('invalid_input', { fields: { file: problem } })
}
