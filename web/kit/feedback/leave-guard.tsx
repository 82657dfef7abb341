import { useEffect, useId } from 'react'
import { useBeforeUnload, useBlocker, useLocation } from 'react-router'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { create } from 'zustand'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { useNameOf } from '#web/thing-name.ts'

type Reason = { id: string; text: string }
const useReasons = create<{ reasons: readonly Reason[] }>(() => ({ reasons: [] }))

/**
 * Asks before people leave while `active`: unsaved edits, a running export. `release()` lets go at once, for the moment
 * between a successful save and the navigation that follows it.
 */
export function useLeaveGuard(active: boolean, text: string): { release: () => void } {
  const id = useId()
  useEffect(() => {
    if (!active) return
    return guardLeaving(id, text)
  }, [active, id, text])
  return { release: () => letGo(id) }
}

/** The same for work that outlives its screen; answers how to end it. */
export function guardLeaving(id: string, text: string): () => void {
  letGo(id)
  useReasons.setState(({ reasons }) => ({ reasons: [...reasons, { id, text }] }))
  return () => letGo(id)
}

function letGo(id: string): void {
  useReasons.setState(({ reasons }) => ({ reasons: reasons.filter((reason) => reason.id !== id) }))
}

/** Mounted once in the frame: a router allows one blocker at a time, so all reasons share this one. */
export function LeaveGuard() {
  const { t } = useTranslation('kit')
  const [reason] = useReasons(({ reasons }) => reasons)
  const name = useNameOf(useLocation().pathname)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => useReasons.getState().reasons.length > 0 && screenOf(currentLocation) !== screenOf(nextLocation),
  )

  useBeforeUnload((event) => {
    const [first] = useReasons.getState().reasons
    if (!first) return
    event.preventDefault()
    // browsers show their own words; the older ones show these
    event.returnValue = first.text
  })

  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirm({
      title: reason?.text ?? t('leave.title'),
      text: name === undefined ? '' : t('leave.of', { name }),
      action: t('leave.action'),
      cancel: t('leave.stay'),
      danger: true,
    }).then((yes) => (yes ? blocker.proceed() : blocker.reset()))
    // the question is asked once per attempt to leave, whatever changes meanwhile
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [blocker.state])

  return null
}

/** What is drawn at an address: a form in a tab goes away with its tab. */
function screenOf({ pathname, search }: { pathname: string; search: string }): string {
  return `${pathname} ${new URLSearchParams(search).get('tab') ?? ''}`
}
