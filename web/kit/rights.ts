import { createContext } from 'react'
import type { Access } from '#contract/access.ts'

/** Whether the person at the screen passes an access rule; the gate of the panel says so. Only shows and hides, the server decides. */
export const Rights = createContext<(access: Access) => boolean>(() => false)
