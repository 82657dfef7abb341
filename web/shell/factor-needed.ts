import { create } from 'zustand'

/** Whether the server refused a call because the second factor that the role must have is not set up yet. */
export const useFactorNeeded = create<{ needed: boolean }>(() => ({ needed: false }))
