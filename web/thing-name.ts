import { useEffect } from 'react'
import { create } from 'zustand'

/** What the thing at an address is called, as its page says it. */
const useNamed = create<{ path: string; name: string }>(() => ({ path: '', name: '' }))

/** Says what the page at this address is about, for the crumbs. */
export function useSayName(path: string, name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) useNamed.setState({ path, name })
  }, [path, name])
}

/** What the page at this address is about; undefined until it has said so. */
export function useNameOf(path: string): string | undefined {
  return useNamed((said) => (said.path === path ? said.name : undefined))
}
