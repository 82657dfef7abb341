import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { InboxKind, InboxRow } from '#contract/network/inbox.ts'
import { capAmount, capWords } from '#web/cap-words.ts'
import { useLifeHref } from '#web/conversion-words.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import classes from '#web/features/network/inbox/inbox.module.css'
import { money } from '#web/format.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { screenHref, useScreens } from '#web/shell/access.ts'

export type Verdict = 'approve' | 'reject'

/** What may be said about each kind. */
export const VERDICTS: Record<InboxKind, readonly Verdict[]> = {
  access: ['approve', 'reject'],
  affiliates: ['approve', 'reject'],
  landings: ['approve', 'reject'],
  conversions: ['approve', 'reject'],
  deliveries: ['approve', 'reject'],
  postbacks: ['approve', 'reject'],
  caps: [],
}

type InboxEntryProps = {
  kind: InboxKind
  row: InboxRow
  /** Whether it is the one the list is entered at by Tab. */
  reached: boolean
  onReach: () => void
  onVerdict: (verdict: Verdict) => void
}

/** One thing that waits: who asks for what, since when, and what may be said to it. */
export function InboxEntry({ kind, row, reached, onReach, onVerdict }: InboxEntryProps) {
  const href = useHref(kind, row)
  const { title, about, note } = useWords(kind, row)
  const tabIndex = reached ? 0 : -1
  const { labels } = useVerdictWords(kind)
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
      <span className={`ohma-clip ${classes.note}`} title={note}>
        {note}
      </span>
      <span className={classes.when}>{row.at !== null && <Moment at={row.at} />}</span>
      <span className={classes.verdicts}>
        {VERDICTS[kind].map((verdict) => (
          <Button
            key={verdict}
            size="compact-sm"
            variant={verdict === 'approve' ? 'light' : 'default'}
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

/** What the verdicts of a kind are called, and what is said once one is given. */
export function useVerdictWords(kind: InboxKind): { labels: Record<Verdict, string>; said: (row: InboxRow, verdict: Verdict) => string } {
  const { t } = useTranslation('inbox')
  return {
    labels: {
      approve: kind === 'deliveries' ? t('sendAgain') : kind === 'postbacks' ? t('tryAgain') : t('approve'),
      reject: kind === 'conversions' ? t('decline') : kind === 'deliveries' || kind === 'postbacks' ? t('dismiss') : t('reject'),
    },
    // only kinds that can be rejected come with that verdict
    said: ({ affiliate, offer, landing, conversion }, verdict) =>
      t(`done.${kind}.${verdict}` as 'done.access.approve', {
        who: affiliate === null ? '' : affiliate.name || t('stranger', { id: affiliate.id }),
        offer: offer?.name ?? '',
        landing: landing?.name ?? '',
        id: conversion?.id ?? '',
      }),
  }
}

/** Where the thing itself is; undefined for who may not open it. */
function useHref(kind: InboxKind, { id, offer, affiliate }: InboxRow): string | undefined {
  const screens = useScreens()
  const lifeHref = useLifeHref()
  const of = (uuid: string | undefined) => ({ uuid: uuid ?? '' })
  if (kind === 'access')
    return screens.has('offerDetailDirect') ? `${screenHref('offerDetailDirect', of(offer?.uuid))}?tab=access` : undefined
  if (kind === 'affiliates') return screenHref('affiliateEdit', of(id))
  if (kind === 'landings') return screenHref('landingEdit', of(id))
  if (kind === 'conversions') return lifeHref(id)
  if (kind === 'deliveries') return `${screenHref('affiliateEdit', of(affiliate?.uuid))}?tab=deliveries&state=dead`
  if (kind === 'postbacks') return `${screenHref('statisticPostbacks')}?outcome=needs_mapping`
  return screens.has('offerEditDirect') ? screenHref('offerEditDirect', of(offer?.uuid)) : undefined
}

/** A row in words: whom or what it is about, what it belongs to, and what was said. */
function useWords(kind: InboxKind, row: InboxRow): { title: string; about: string; note: string } {
  const { t } = useTranslation('inbox')
  const { t: log } = useTranslation('postbackLog')
  const deliveryWords = useDeliveryWords()
  const offer = row.offer?.name ?? ''
  const advertiser = row.advertiser?.name ?? ''
  const affiliate = row.affiliate === null ? '' : row.affiliate.name || t('stranger', { id: row.affiliate.id })
  if (kind === 'access') return { title: affiliate, about: offer, note: row.text }
  if (kind === 'affiliates') return { title: affiliate, about: '', note: row.text }
  if (kind === 'landings') {
    const by = row.by === null ? '' : t('by', { name: row.by })
    return { title: row.landing?.name ?? '', about: offer || advertiser, note: joined(row.text, by) }
  }
  if (kind === 'conversions') {
    const amount = row.money === null ? '' : money(row.money.payout, row.money.currency)
    return { title: offer, about: joined(row.goal, row.conversion?.id), note: joined(amount, affiliate, advertiser) }
  }
  if (kind === 'deliveries') return { title: affiliate, about: offer, note: joined(deliveryWords(row.reason), row.text) }
  if (kind === 'postbacks') {
    const why = log(`reason.${row.reason}` as 'reason.status_unknown', { defaultValue: row.reason })
    return { title: advertiser || affiliate || t('unknownSender'), about: offer, note: joined(row.text, why) }
  }
  if (row.cap === null) return { title: offer, about: '', note: '' }
  const used = capAmount(row.cap, row.cap.used, row.cap.currency)
  return { title: offer, about: capWords(row.cap, row.cap.currency), note: t('full', { used, percent: row.cap.percent }) }
}

function joined(...words: (string | undefined)[]): string {
  return words.filter(Boolean).join(' · ')
}
