import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ScreenId } from '#contract/screens.ts'

/** What the palette found: a thing and the screen that opens it. */
export type Hit = { uuid: string; label: string; detail: string }

/** An endpoint that answers how many things wait for the caller. */
export type WaitingEndpoint = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<{ rows: number }>>

/** What stands behind a screen of the table. Everything but the icon is loaded when it is needed: all of it is known before the first page. */
export type Page = {
  page: () => Promise<ComponentType>
  /** Its sign in the sidebar and the palette. */
  icon?: Icon
  /** Looks for what was typed into the palette; a hit is opened with the screen `opens`, by those who may. */
  search?: { opens: ScreenId; find: () => Promise<(text: string, signal: AbortSignal) => Promise<Hit[]>> }
  /** The number on its entry in the sidebar, for those who may ask for it. */
  waiting?: () => Promise<WaitingEndpoint>
}

/** The pages of a feature: one for each of its screens. */
export type Pages<Id extends ScreenId> = Readonly<Record<Id, Page>>
