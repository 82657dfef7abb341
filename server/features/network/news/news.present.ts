import type { z } from 'zod'
import {
  LANGUAGES_OF_PANEL,
  type newsArticle,
  type newsCard,
  type newsDetail,
  type newsRow,
  type PanelLanguage,
} from '#contract/network/news.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import { textIn } from './news-text.ts'
import type { WrittenRow } from './news.queries.ts'
import type { ReadRow } from './reader.queries.ts'

type Row = Omit<ReadRow, 'id'>

/** News in a list of those they are for, in a language. */
export function presentCard({ texts, publish_at, ...row }: Row, language: PanelLanguage): z.input<typeof newsCard> {
  const { title, excerpt } = textIn(texts, language)
  return { ...row, title, excerpt, published_at: dueAt(publish_at) }
}

/** The whole of it. */
export function presentArticle({ texts, publish_at, ...row }: Row, language: PanelLanguage): z.input<typeof newsArticle> {
  const { title, text } = textIn(texts, language)
  return { ...row, title, text, published_at: dueAt(publish_at) }
}

/** As those see it in a list who write news; the languages are those it has a title in. */
export function presentWritten({ texts, ...row }: WrittenRow): z.input<typeof newsRow> {
  return { ...isoDates(row), roles: rolesOf(row.roles), languages: LANGUAGES_OF_PANEL.filter((one) => texts[one].title !== '') }
}

/** With everything that was written, and how many it reaches. */
export function presentDetail(row: WrittenRow, reach: { affiliates: number; staff: number }): z.input<typeof newsDetail> {
  return { ...isoDates(row), roles: rolesOf(row.roles), reach }
}

type Roles = z.input<typeof newsDetail>['roles']

function rolesOf(roles: readonly string[]): Roles {
  return [...roles] as Roles // the contract lets no other in
}

/** What is out has a moment. */
function dueAt(at: Date | null): string {
  if (at === null) throw new Error('news are out without a moment')
  return at.toISOString()
}
