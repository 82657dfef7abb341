import { create } from 'zustand'

const useInFlight = create<{ count: number }>(() => ({ count: 0 }))

/** Notes that a request went out; the function it returns notes that it ended. */
export function beginRequest(): () => void {
  useInFlight.setState(({ count }) => ({ count: count + 1 }))
  let open = true
  return () => {
    if (!open) return
    open = false
    useInFlight.setState(({ count }) => ({ count: count - 1 }))
  }
}

/** Whether any request is in flight. */
export function isLoading(): boolean {
  return useInFlight.getState().count > 0
}

/** The global loading flag: true while any request is in flight. */
export function useLoadingFlag(): boolean {
  return useInFlight(({ count }) => count > 0)
}
