import { useSearchParams } from 'react-router'

type PanelAddress = {
  /** The key of what is open; null while nothing is. */
  open: string | null
  hrefOf: (key: string) => string
  /** Opens another in its place: Back still closes the panel. */
  show: (key: string) => void
  close: () => void
}

/** A panel over a list stands in the list's address under `name`: it can be linked, and Back closes it. */
export function usePanelAddress(name: string): PanelAddress {
  const [params, setParams] = useSearchParams()
  return {
    open: params.get(name),
    hrefOf: (key) => {
      const next = new URLSearchParams(params)
      next.set(name, key)
      return `?${next}`
    },
    show: (key) =>
      setParams(
        (now) => {
          now.set(name, key)
          return now
        },
        { replace: true },
      ),
    close: () =>
      setParams(
        (now) => {
          now.delete(name)
          return now
        },
        { replace: true },
      ),
  }
}
