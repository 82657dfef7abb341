import type { z } from 'zod'
import type { source } from '#contract/people/application.ts'
import { sessionStore } from '#web/browser-store.ts'

type Source = z.input<typeof source>

const KEPT = 'ohma.source'
const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const

/**
 * Where a guest came from: the ref code and utm_ parameters of the address, the page that led here, and the first page.
 * Kept while the tab is open, so that who reads the terms first is still somebody's referral; a newer ref code counts.
 */
export function guestSource(): Source {
  const asked = new URLSearchParams(location.search)
  const kept = read()
  if (kept !== undefined && !asked.has('ref')) return kept
  const found: Source = {
    ref: cut(asked.get('ref'), 100),
    referrer: cut(elsewhere(document.referrer), 2048),
    // the token of a link is nobody's business
    landing: asked.has('token') ? location.pathname : cut(location.pathname + location.search, 2048),
    ...Object.fromEntries(UTM.map((name) => [name, cut(asked.get(name), 200)])),
  }
  sessionStore.setItem(KEPT, JSON.stringify(found))
  return found
}

function read(): Source | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStore.getItem(KEPT) ?? 'null')
    return typeof kept === 'object' && kept !== null ? kept : undefined
  } catch {
    return undefined
  }
}

function elsewhere(referrer: string): string {
  return referrer.startsWith(`${location.origin}/`) ? '' : referrer
}

function cut(text: string | null, most: number): string {
  return (text ?? '').replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, most)
}
