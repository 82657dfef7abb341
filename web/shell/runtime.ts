import { create } from 'zustand'
import type { z } from 'zod'
import type { runtimeSettings } from '#contract/network/runtime.ts'

export type Runtime = z.output<typeof runtimeSettings>

const useStore = create<{ settings: Runtime | null }>(() => ({ settings: null }))

/** Keeps the runtime settings; main.tsx does this before anything renders, the general settings page after a change. */
export function setRuntime(settings: Runtime): void {
  useStore.setState({ settings })
}

/** The runtime settings: partner title, colour, cookie names and what else is needed before sign-in. */
export function runtime(): Runtime {
  return present(useStore.getState().settings)
}

/** Where the API is asked; null = where the page comes from, and until the settings are there. */
export function apiOrigin(): string | null {
  return useStore.getState().settings?.api_origin ?? null
}

/** The runtime settings inside a component. */
export function useRuntime(): Runtime {
  return present(useStore(({ settings }) => settings))
}

function present(settings: Runtime | null): Runtime {
  if (settings === null) throw new Error('main.tsx loads the runtime settings first')
  return settings
}
