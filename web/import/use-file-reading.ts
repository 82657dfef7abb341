import { useState } from 'react'
import { CallError, messagesOf } from '#web/api/call-error.ts'
import { fieldText } from '#web/i18n/language.ts'

type FileReading = {
  /** In bytes; larger files are not sent. */
  largest: number
  words: { tooLarge: string; unread: string }
}
/** Sends a file and goes on with the answer; `name` is as long as the server takes. */
type Send = (name: string, body: Uint8Array<ArrayBuffer>) => Promise<void>

/** Has the server read a file somebody chose: whether it does just now, and what is wrong with the file, or with what was chosen (`refuse`). */
export function useFileReading({ largest, words }: FileReading) {
  const [reading, setReading] = useState(false)
  const [problem, setProblem] = useState('')
  const read = async (file: File | null | undefined, send: Send) => {
    if (!file) return
    setProblem('')
    if (file.size > largest) return setProblem(words.tooLarge)
    setReading(true)
    try {
      await send(file.name.slice(-200), new Uint8Array(await file.arrayBuffer()))
    } catch (error) {
      setProblem(saidOf(error) ?? words.unread)
    }
    setReading(false)
  }
  return { reading, problem, refuse: setProblem, read }
}

/** What the server says is wrong with a file; undefined where it did not come that far. */
function saidOf(error: unknown): string | undefined {
  if (!(error instanceof CallError) || error.status === 0) return undefined
  const { file } = error.fields
  return file === undefined ? messagesOf(error).join(' ') : fieldText(file)
}
