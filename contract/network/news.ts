import { z } from 'zod'
import { ROLES } from '#contract/access.ts'
import { endpoint } from '#contract/endpoint.ts'
import {
  byUuid,
  countryCode,
  languageCode,
  line,
  moment,
  paragraph,
  requiredLine,
  someOf,
  statusChange,
  tags,
  uuid,
  version,
} from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { blankOf, stored } from '#contract/shape.ts'

/** draft: only staff who write news see it; scheduled: due at its moment; published: its audience reads it; archived: nobody reads it any more. */
export const NEWS_STATUSES = ['draft', 'scheduled', 'published', 'archived'] as const
export const newsStatus = z.enum(NEWS_STATUSES)
export type NewsStatus = z.output<typeof newsStatus>

/** So many pictures may stand in the text of one language. */
export const MOST_NEWS_PICTURES = 20

/** The languages one may be written in: those of the panel. */
export const LANGUAGES_OF_PANEL = languageCode.options
export type PanelLanguage = z.output<typeof languageCode>

/** As they are kept, by language; '' where nothing is written. `excerpt` is the beginning of the text, plain. */
export type NewsTexts = Record<PanelLanguage, { title: string; text: string; excerpt: string }>

/** One language of it. `text` is HTML of the editor, sanitised when it is saved; a picture in it is `<img data-file="<uuid>">`. */
const newsText = z.object({ title: line(150), text: paragraph(50_000) })

/** What staff write. Who reads another language than those with a title reads the first that has one. */
export const newsFields = {
  texts: z
    .object({ en: newsText, uk: newsText })
    .refine(({ en, uk }) => en.title !== '' || uk.title !== '', {
      message: 'Give it a title in one language at least',
      path: ['en', 'title'],
    })
    .refine(({ en }) => en.title !== '' || en.text === '', { message: 'A text needs a title', path: ['en', 'title'] })
    .refine(({ uk }) => uk.title !== '' || uk.text === '', { message: 'A text needs a title', path: ['uk', 'title'] }),
  /** Its picture, a file. */
  cover: uuid.nullable(),
  /** Whom it is for; nobody named = everybody. Countries and tags narrow affiliates, and name them where no role is named. */
  roles: someOf(z.enum(ROLES)),
  /** Where affiliates are, or their traffic. */
  geos: z.array(countryCode).max(250),
  tags,
  pinned: z.boolean(),
  /** When it is due; null = as soon as it is published. */
  publish_at: moment.nullable(),
}

const audienceAgrees = ({ roles, geos, tags: words }: { roles: string[]; geos: string[]; tags: string[] }) =>
  roles.length === 0 || roles.includes('affiliate') || geos.length + words.length === 0
const AUDIENCE_DISAGREES = { message: 'Countries and tags narrow affiliates: name them too', path: ['roles'] }

const writtenNews = z.object(newsFields)
export const newsUpdate = writtenNews.extend({ version }).refine(audienceAgrees, AUDIENCE_DISAGREES)
/** `publish`: at its moment, or at once where it names none; otherwise it is a draft. */
export const newsInput = writtenNews.extend({ publish: z.boolean() }).refine(audienceAgrees, AUDIENCE_DISAGREES)
export type NewsInput = z.output<typeof newsInput>
/** What may be unfinished still. */
export const newsPreview = writtenNews
  .pick({ roles: true, geos: true, tags: true })
  .extend({ texts: z.object({ en: newsText, uk: newsText }), language: languageCode })

/** The form of new ones. */
export const blankNews = { ...blankOf(writtenNews, {}), publish: true }

const reach = z.object({ affiliates: z.int(), staff: z.int() })

/** As those see it who write news. */
export const newsDetail = z.object({
  uuid,
  id: z.int(),
  ...stored(newsFields),
  status: newsStatus,
  author: z.string().nullable(),
  created_at: moment,
  updated_at: moment,
  /** How many of those it is for have opened it, and how many may. */
  readers: z.int(),
  reach,
  version,
})

export const newsRow = newsDetail
  .pick({ uuid: true, id: true, status: true, roles: true, geos: true, tags: true, pinned: true, publish_at: true, author: true })
  .extend({ title: z.string(), languages: z.array(languageCode), readers: z.int(), updated_at: moment, created_at: moment })

export const newsFilters = z.object({
  ...paging,
  ...sorting(['id', 'title', 'status', 'publish_at', 'pinned', 'author', 'readers', 'created_at', 'updated_at']),
  search: line(100).default(''),
  status: someOf(newsStatus),
  role: someOf(z.enum(ROLES)),
  geo: z.array(countryCode).max(250).default([]),
  tag: z.array(requiredLine(40)).max(30).default([]),
  pinned: z
    .array(z.enum(['yes', 'no']))
    .max(2)
    .default([]),
})

/** As its audience sees it, in one language. */
export const newsCard = z.object({
  uuid,
  title: z.string(),
  /** The beginning of its text, plain. */
  excerpt: z.string(),
  cover: uuid.nullable(),
  pinned: z.boolean(),
  published_at: moment,
  read: z.boolean(),
})
export type NewsCard = z.output<typeof newsCard>
export const newsArticle = newsCard.omit({ excerpt: true }).extend({ text: z.string() })
export type NewsArticle = z.output<typeof newsArticle>

/** News: read by whom they are for, written by admin and head. */
export const newsApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/news/v1/list',
    access: 'signedIn',
    reads: true,
    summary: 'Published news for the caller, pinned ones first, then the newest.',
    body: z.object({ ...paging, search: line(100).default(''), unread: z.boolean().default(false) }),
    response: listOf(newsCard),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/news/v1/get/:uuid',
    access: 'signedIn',
    summary: 'One of them with its text.',
    params: byUuid,
    response: newsArticle,
  }),
  unread: endpoint({
    method: 'GET',
    path: '/api/news/v1/unread',
    access: 'signedIn',
    summary: 'How many of them the caller has not read. What was published before the account was made counts as read.',
    response: z.object({ rows: z.int() }),
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/news/v1/read/:uuid',
    access: 'signedIn',
    remembers: true,
    summary: 'Marks one as read, and what the bell told of it.',
    params: z.object({ uuid }),
    response: z.object({}),
  }),
  readAll: endpoint({
    method: 'POST',
    path: '/api/news/v1/read-all',
    access: 'signedIn',
    remembers: true,
    summary: 'Marks all as read that were published until a moment.',
    body: z.object({ until: moment }),
    response: z.object({ changed: z.int() }),
  }),

  written: endpoint({
    method: 'POST',
    path: '/api/news/v1/written',
    access: 'news.write',
    reads: true,
    summary: 'All news, whoever they are for; archived ones only where they are asked for.',
    body: newsFilters,
    response: listOf(newsRow),
  }),
  form: endpoint({
    method: 'GET',
    path: '/api/news/v1/form/:uuid',
    access: 'news.write',
    summary: 'One of all, with every language, its audience and how many it reaches.',
    params: byUuid,
    response: newsDetail,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/news/v1/create',
    access: 'news.write',
    summary: 'Writes one: a draft, or due at its moment.',
    body: newsInput,
    response: newsDetail,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/news/v1/update/:uuid',
    access: 'news.write',
    summary: 'Changes one; whether it is published stays, when it is due may change.',
    params: byUuid,
    body: newsUpdate,
    response: newsDetail,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/news/v1/preview',
    access: 'news.write',
    reads: true,
    summary: 'What would be shown of it in a language, sanitised, and how many active people it reaches. Keeps nothing.',
    body: newsPreview,
    response: z.object({ title: z.string(), text: z.string(), reach }),
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/api/news/v1/duplicate/:uuid',
    access: 'news.write',
    summary: 'Makes a draft of the same texts, pictures and audience.',
    params: byUuid,
    response: z.object({ uuid, id: z.int() }),
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/news/v1/set-status',
    access: 'news.write',
    summary: 'Publishes up to 1,000 at once or at their moments (`scheduled`), withdraws them to drafts, or archives them.',
    body: statusChange(newsStatus),
    response: z.object({ changed: z.int() }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/news/v1/undo',
    access: 'news.write',
    summary:
      'Gives them back what they were before the caller gave them this status. Those somebody changed since are passed over; where nothing is left it is a `conflict`.',
    body: statusChange(newsStatus).omit({ expected: true }),
    response: z.object({ changed: z.int() }),
  }),
}
