import { useEffect } from 'react'

/** Something the screen can do, which the palette finds by its words. */
export type Command = { id: string; label: string; run: () => void }

const offered = new Map<string, readonly Command[]>()

/** Offers what a part of the screen can do to the palette, for as long as it is on the screen. `of` names the part. */
export function useCommands(of: string, commands: readonly Command[]): void {
  // with every render: what a command does is of the last one
  useEffect(() => {
    offered.set(of, commands)
    return () => void (offered.get(of) === commands && offered.delete(of))
  })
}

/** What the screen offers just now. */
export function commandsHere(): Command[] {
  return [...offered.values()].flat()
}
