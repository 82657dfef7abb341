import type { ComponentType } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { InboxKind } from '#contract/network/inbox.ts'
import type { ScreenId } from '#contract/screens.ts'
import { call } from '#web/api/call.ts'
import { withinChunkTimeout } from '#web/chunk.ts'

/** What the palette found: a thing, which the screen `opens` shows, or `at` this address. */
export type Hit = { uuid: string; label: string; detail: string; at?: string }

/** Looks for what was typed into the palette, for those who may open what is found. */
type Search = { opens: ScreenId; find: (text: string, signal: AbortSignal) => Promise<Hit[]> }

/** A list that can be searched, of things by their uuid. */
type SearchEndpoint<Row> = Endpoint<
  z.ZodType,
  z.ZodType,
  z.ZodType<unknown, { search?: string; count?: number }>,
  z.ZodType<{ list: Row[] }>
>

/** What stands behind a screen of the table. It is loaded when it is needed, and known before the first page. */
export type Page = {
  page: () => Promise<ComponentType>
  search?: Search
  /** What of it the person has not read: the number on its entry in the sidebar, asked again every minute. `key` is the path it is asked at. */
  unread?: { key: string; count: (signal: AbortSignal) => Promise<number> }
  /** What of the inbox the number on its entry in the sidebar counts. */
  waiting?: readonly InboxKind[]
}

/** The pages of a feature: one for each of its screens. */
export type Pages<Id extends ScreenId> = Readonly<Record<Id, Page>>

let handedOver: Partial<Pages<ScreenId>> = {}

/** Hands the shell what stands behind the screens: it knows no feature by itself. Once, before the first page. */
export function setPages(pages: Partial<Pages<ScreenId>>): void {
  handedOver = pages
}

/** What stands behind a screen; undefined for one that only leads on. */
export function pageOf(id: ScreenId): Page | undefined {
  return handedOver[id]
}

/** Whether what was typed may be an id of a click, a conversion or an order: one word that holds a figure. */
export function mayBeId(text: string): boolean {
  return /^\S*\d\S*$/.test(text)
}

/** A search of the palette over a feature's list, which is fetched when somebody searches. `shown` says a row in one line and a half. */
export function searchOf<Row extends { uuid: string }>(
  opens: ScreenId,
  endpoint: () => Promise<SearchEndpoint<Row>>,
  shown: (row: Row) => Omit<Hit, 'uuid'>,
): Search {
  return {
    opens,
    find: async (search, signal) => {
      const { list } = await call(await withinChunkTimeout(endpoint), { body: { search, count: 6 } }, { signal, quiet: true })
      return list.map((row) => ({ uuid: row.uuid, ...shown(row) }))
    },
  }
}
