import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { InboxKind, InboxRow } from '#contract/network/inbox.ts'
import { capAmount, capTitle, capWords } from '#web/cap-words.ts'
import { useLifeHref } from '#web/conversion-words.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import classes from '#web/features/network/inbox/inbox.module.css'
import { countryName, date, day, integer, money } from '#web/format.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { screenHref, useScreens } from '#web/shell/access.ts'

export type Verdict = 'approve' | 'reject'

/** What may be said about each kind; a cap is raised, or its offer paused. */
export const VERDICTS: Record<InboxKind, readonly Verdict[]> = {
  access: ['approve', 'reject'],
  affiliates: ['approve', 'reject'],
  landings: ['approve', 'reject'],
  conversions: ['approve', 'reject'],
  deliveries: ['approve', 'reject'],
  postbacks: ['approve', 'reject'],
  caps: ['approve', 'reject'],
  rates: ['approve'],
  leads: ['approve', 'reject'],
  // decided beside what was sent and answered
  sends: [],
  // decided beside what was told
  stuck: [],
  // it is answered where it is read
  tickets: ['reject'],
  money: [],
  // decided where the money is shown
  referrals: [],
}

/** What may be said about a row: an offer that is paused is not paused again. */
export function verdictsOf(kind: InboxKind, { cap }: InboxRow): readonly Verdict[] {
  return cap?.paused === true ? ['approve'] : VERDICTS[kind]
}

type InboxEntryProps = {
  kind: InboxKind
  row: InboxRow
  /** Whether it is the one the list is entered at by Tab. */
  reached: boolean
  onReach: () => void
  onVerdict: (verdict: Verdict) => void
  /** What stands in place of the verdicts while one is said with a figure. */
  asking?: ReactNode
}

/** One thing that waits: who asks for what, since when, and what may be said to it. */
export function InboxEntry({ kind, row, reached, onReach, onVerdict, asking }: InboxEntryProps) {
  const { t } = useTranslation('inboxRow')
  const href = useHref(kind, row)
  const mapping = useMappingHref(row)
  const { title, about, note, facts = '' } = useWords(kind, row)
  const tabIndex = reached ? 0 : -1
  const words = useVerdictWords(kind)
  const labels = row.reason === HELD ? words.held_labels : words.labels
  const named = [title, about].filter(Boolean).join(' · ')
  return (
    <li className={classes.entry} data-kind={kind} data-row={row.id}>
      <div className={classes.what}>
        {href === undefined ? (
          // it is walked to and decided all the same
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <span data-open tabIndex={tabIndex} className="ohma-clip" onFocus={onReach}>
            {title}
          </span>
        ) : (
          <Link data-open to={href} tabIndex={tabIndex} className="ohma-clip" onFocus={onReach} title={named}>
            {title}
          </Link>
        )}
        {about !== '' && (
          <span className={`ohma-clip ${classes.about}`} title={about}>
            {about}
          </span>
        )}
      </div>
      <span className={classes.note}>
        {facts !== '' && (
          <span className="ohma-clip" title={facts}>
            {facts}
          </span>
        )}
        {note !== '' && (
          <span className="ohma-clip" title={note}>
            {note}
          </span>
        )}
      </span>
      <span className={classes.when}>{row.at !== null && <Moment at={row.at} />}</span>
      <span className={classes.verdicts}>
        {asking}
        {mapping !== undefined && (
          <Button
            component={Link}
            to={mapping}
            data-map
            size="compact-sm"
            variant="light"
            tabIndex={tabIndex}
            aria-label={`${t('map')}: ${named}`}
            aria-keyshortcuts="M"
            className={classes.verdict}
            onFocus={onReach}
          >
            {t('map')}
          </Button>
        )}
        {(asking ? [] : verdictsOf(kind, row)).map((verdict) => (
          <Button
            key={verdict}
            size="compact-sm"
            variant={verdict === 'approve' && mapping === undefined ? 'light' : 'default'}
            tabIndex={tabIndex}
            aria-label={`${labels[verdict]}: ${named}`}
            aria-keyshortcuts={verdict === 'approve' ? 'A' : 'R'}
            onFocus={onReach}
            className={classes.verdict}
            onClick={() => onVerdict(verdict)}
          >
            {labels[verdict]}
          </Button>
        ))}
      </span>
    </li>
  )
}

/** The outcome of a postback that would change what is paid. */
const HELD = 'held_for_review'

/** What the verdicts are called where they are not to approve and to reject. */
const APPROVES: Partial<Record<InboxKind, 'sendAgain' | 'tryAgain' | 'raise'>> = {
  deliveries: 'sendAgain',
  postbacks: 'tryAgain',
  rates: 'tryAgain',
  caps: 'raise',
}
const REJECTS: Partial<Record<InboxKind, 'decline' | 'dismiss' | 'pause' | 'closeTicket'>> = {
  conversions: 'decline',
  deliveries: 'dismiss',
  postbacks: 'dismiss',
  caps: 'pause',
  tickets: 'closeTicket',
}

/** What the verdicts of a kind are called, and what is said once one is given, of a cap with its new limit and whether its offer goes on. */
export function useVerdictWords(kind: InboxKind): {
  labels: Record<Verdict, string>
  /** Of a postback that is held for review. */
  held_labels: Record<Verdict, string>
  said: (row: InboxRow, verdict: Verdict, limit: string, resumes?: boolean) => string
  held: (row: InboxRow, until: string) => string
} {
  const { t } = useTranslation('inboxRow')
  const zone = useZone()
  return {
    labels: {
      approve: t(APPROVES[kind] ?? 'approve'),
      reject: t(REJECTS[kind] ?? 'reject'),
    },
    held_labels: { approve: t('approve'), reject: t('reject') },
    // only kinds that can be rejected come with that verdict
    said: ({ affiliate, offer, landing, ticket, conversion, cap, text }, verdict, limit, resumes = false) =>
      t(resumes ? 'done.caps.resume' : (`done.${kind}.${verdict}` as 'done.access.approve'), {
        who: affiliate === null ? '' : affiliate.name || t('stranger', { id: affiliate.id }),
        offer: offer?.name ?? '',
        landing: landing?.name ?? '',
        id: kind === 'leads' ? text : (conversion?.id ?? ticket?.id ?? ''),
        limit: cap === null || limit === '' ? '' : capAmount(cap, limit, cap.currency),
      }),
    held: ({ offer, conversion }, until) =>
      t('done.conversions.held', { id: conversion?.id ?? '', offer: offer?.name ?? '', date: date(until, zone) }),
  }
}

/** Where the thing itself is; undefined for who may not open it. */
function useHref(kind: InboxKind, { id, offer, affiliate, advertiser, reason }: InboxRow): string | undefined {
  const screens = useScreens()
  const lifeHref = useLifeHref()
  const of = (uuid: string | undefined) => ({ uuid: uuid ?? '' })
  if (kind === 'money') {
    if (reason.startsWith('credit_')) return `${screenHref('advertiserEdit', of(advertiser?.uuid))}?tab=billing`
    const [uuid, file = ''] = id.split(' ')
    if (['invoice', 'objection', 'overdue', 'issue_by'].includes(reason)) return screenHref('invoiceDetail', of(uuid))
    const views: Readonly<Record<string, string>> = {
      request: 'requests',
      run: 'runs',
      advertiser_run: 'advertisers&part=runs',
      proposal: 'proposals',
      file: `payouts&payout=${id}`,
      report: `reconcile&batch=${id}`,
    }
    return `${screenHref('billing')}?view=${views[reason] ?? `payouts&payout=${file}`}`
  }
  if (kind === 'access')
    return screens.has('offerDetailDirect') ? `${screenHref('offerDetailDirect', of(offer?.uuid))}?tab=access` : undefined
  if (kind === 'leads') return `${screenHref('statisticApiUserSession')}?session=${id}`
  if (kind === 'sends') return `${screenHref('statisticApiUserSession')}?tab=unclear&session=${id}`
  if (kind === 'stuck') return `${screenHref('statisticApiUserSession')}?tab=stuck&stuck=${id}`
  if (kind === 'tickets') return `${screenHref('tickets')}?ticket=${id}`
  if (kind === 'referrals') return `${screenHref('billing')}?view=referrals&state=held`
  if (kind === 'rates') return `${screenHref('settingsGeneral')}?tab=currencies`
  if (kind === 'affiliates') return screenHref('affiliateEdit', of(id))
  if (kind === 'landings') return screenHref('landingEdit', of(id))
  if (kind === 'conversions') return lifeHref(id)
  if (kind === 'deliveries') return `${screenHref('affiliateEdit', of(affiliate?.uuid))}?tab=deliveries&state=dead`
  if (kind === 'postbacks')
    return `${screenHref('statisticPostbacks')}?outcome=${reason === HELD ? HELD : reason === 'refund_early' ? 'refused' : 'needs_mapping'}`
  return screens.has('offerEditDirect') ? screenHref('offerEditDirect', of(offer?.uuid)) : undefined
}

/** Where a word of the advertiser that was not understood is mapped, with the word filled in; undefined where no mapping mends it. */
function useMappingHref({ advertiser, reason, text }: InboxRow): string | undefined {
  const screens = useScreens()
  const [, word = ''] = /^[^=]+=(.+)$/.exec(text) ?? []
  const means = { status_unknown: 'status', goal_unknown: 'goal' }[reason]
  if (advertiser === null || means === undefined || word === '' || word.includes('***') || !screens.has('advertiserEdit')) return undefined
  return `${screenHref('advertiserEdit', { uuid: advertiser.uuid })}?${new URLSearchParams({ tab: 'edit', word, means })}`
}

/** A row in words: whom or what it is about, what it belongs to, and what was said. */
function useWords(kind: InboxKind, row: InboxRow): { title: string; about: string; note: string; facts?: string } {
  const { t } = useTranslation('inboxRow')
  const { t: log } = useTranslation('postbackLog')
  const { t: stuck } = useTranslation('stuck')
  const deliveryWords = useDeliveryWords()
  const recordWords = ({ record }: InboxRow) => {
    const decided = record === null ? 0 : record.approved + record.declined
    if (record === null || decided === 0) return t('record.none')
    return t('record', { number: integer(decided), share: integer(Math.round((record.approved * 100) / decided)) })
  }
  const offer = row.offer?.name ?? ''
  const advertiser = row.advertiser?.name ?? ''
  const affiliate = row.affiliate === null ? '' : row.affiliate.name || t('stranger', { id: row.affiliate.id })
  const country = row.geo === '' ? '' : countryName(row.geo)
  const facts = joined(country, row.sources.join(', '))
  if (kind === 'access') {
    const whose = row.affiliate?.name === '' ? t('strangerWhy') : ''
    return { title: affiliate, about: offer, note: joined(row.text, whose), facts: joined(recordWords(row), facts) }
  }
  if (kind === 'rates')
    return {
      title: t('rates'),
      about: '',
      note: t(`rates.${row.reason}` as 'rates.base_missing', { defaultValue: deliveryWords(row.reason) }),
    }
  if (kind === 'leads')
    return {
      title: offer,
      about: t('lead', { id: row.text }),
      note: joined(affiliate, t(`lead.${row.reason}` as 'lead.duplicate')),
      facts: country,
    }
  if (kind === 'sends') return { title: offer, about: t('lead', { id: row.reason }), note: joined(row.text, advertiser), facts: country }
  if (kind === 'stuck')
    return {
      title: advertiser,
      about: '',
      note: joined(stuck(`reason.${row.reason}` as 'reason.amount', { defaultValue: row.reason }), row.text),
    }
  if (kind === 'referrals') return { title: affiliate, about: '', note: t('by', { name: row.by ?? '' }) }
  if (kind === 'affiliates') return { title: affiliate, about: '', note: row.text, facts }
  if (kind === 'landings') {
    const by = row.by === null ? '' : t('by', { name: row.by })
    return { title: row.landing?.name ?? '', about: offer || advertiser, note: joined(row.text, by) }
  }
  const amounts =
    row.money === null
      ? ''
      : t('amounts', { payout: money(row.money.payout, row.money.currency), revenue: money(row.money.revenue, row.money.currency) })
  if (kind === 'conversions') {
    return {
      title: offer,
      about: joined(row.goal, row.conversion?.id),
      note: joined(affiliate, advertiser),
      facts: joined(amounts, country),
    }
  }
  if (kind === 'deliveries') return { title: affiliate, about: offer, note: joined(deliveryWords(row.reason), row.text) }
  if (kind === 'postbacks') {
    const why =
      row.reason === HELD ? log(`outcome.${HELD}`) : log(`reason.${row.reason}` as 'reason.status_unknown', { defaultValue: row.reason })
    return {
      title: advertiser || affiliate || t('unknownSender'),
      about: joined(offer, row.conversion?.id),
      note: joined(row.text, why),
      facts: row.reason === HELD ? amounts : '',
    }
  }
  if (kind === 'money') {
    const sum = row.money === null ? '' : money(row.money.payout, row.money.currency)
    const isToIssue = row.reason === 'issue_by'
    const task = t(`money.${row.reason}` as 'money.issue_by', { day: isToIssue ? day(row.text) : '' })
    return {
      title: affiliate || advertiser || task,
      about: joined(affiliate || advertiser ? task : '', sum),
      note: isToIssue ? '' : row.text,
    }
  }
  if (kind === 'tickets') {
    const by = row.by === null ? '' : t('answers', { name: row.by })
    return {
      title: row.ticket?.name ?? '',
      about: joined(row.ticket === null ? '' : `#${row.ticket.id}`, affiliate),
      note: joined(row.text, by),
    }
  }
  if (row.cap === null) return { title: offer, about: '', note: '' }
  const used = capAmount(row.cap, row.cap.used, row.cap.currency)
  const full = t('full', { used, cap: capWords(row.cap, row.cap.currency), percent: row.cap.percent })
  return { title: offer, about: capTitle(row.cap), note: joined(full, row.cap.paused ? t('paused') : '') }
}

function joined(...words: (string | undefined)[]): string {
  return words.filter(Boolean).join(' · ')
}
