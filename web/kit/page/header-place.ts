import { createContext } from 'react'

/** Where the buttons of a part stand: in the header of its page, which offers the place. */
export const HeaderPlace = createContext<HTMLElement | null>(null)
