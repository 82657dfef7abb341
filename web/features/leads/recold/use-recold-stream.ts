import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { recoldApi } from '#contract/leads/recold.ts'
import { call } from '#web/api/call.ts'
import { followStream } from '#web/api/stream.ts'
import { apiOrigin } from '#web/shell/runtime.ts'
import { useSession } from '#web/shell/session.ts'

const SHOWN: readonly string[] = [recoldApi.get, recoldApi.live, recoldApi.items, recoldApi.figures].map(({ path }) => path)

/** Keeps what is shown of a distribution as it is now, while the page is looked at. */
export function useRecoldStream(uuid: string): void {
  const client = useQueryClient()
  const { token } = useSession()
  useEffect(() => {
    if (token === '') return
    return followStream({
      token,
      address: () => new URL(recoldApi.stream.path.replace(':uuid', encodeURIComponent(uuid)), apiOrigin() ?? location.origin),
      onEvent: () => void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => SHOWN.includes(String(path)) }),
      // a call that hears the same ends the session on the screen
      onRefused: () => void call(recoldApi.live, { params: { uuid } }, { quiet: true }).catch(() => undefined),
    })
  }, [client, token, uuid])
}
