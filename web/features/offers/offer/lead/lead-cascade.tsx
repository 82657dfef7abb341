import { Anchor, Stack } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ApiOfferDetail, ApiOfferMember } from '#contract/leads/api-offer.ts'
import { INTEGRATION_TYPES } from '#contract/leads/integration-type.ts'
import { INTEGRITY_CHECKS } from '#contract/leads/integrity.ts'
import { pricesLeft } from '#contract/leads/product.ts'
import { integer, money } from '#web/format.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useScreens } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import classes from './lead.module.css'
import { hoursText } from '#web/opening/hours-text.ts'
import { ownPriceWords } from './own-price-words.ts'
import { MemberState } from './member-state.tsx'
import { useLackingWords } from './use-lacking-words.ts'

/** To whom the leads of an offer go: group after group, each product with its terms and how much of its limits is taken. */
export function LeadCascade({ offer }: { offer: ApiOfferDetail }) {
  const { t } = useTranslation('offer')
  const facts: [string, string][] = [
    [t('lead.type'), t(`lead.kind.${offer.integration_type}`)],
    [t('lead.required'), INTEGRATION_TYPES[offer.integration_type].required.map((name) => t(`lead.field.${name}`)).join(', ')],
    [t('lead.wait'), offer.wait_hours === 0 ? t('lead.noWait') : t('lead.hoursCount', { count: offer.wait_hours })],
    [t('lead.repeat'), offer.repeat_days === null ? t('lead.never') : t('daysCount', { count: offer.repeat_days })],
    ...(offer.consent.mode === 'off'
      ? []
      : [
          [
            t('lead.consent'),
            [t(`lead.consent.${offer.consent.mode}`), ...offer.consent.fields.map((name) => t(`lead.consentField.${name}`))].join(', '),
          ] as [string, string],
        ]),
    ...(offer.thank_you_url === '' ? [] : [[t('lead.thanks'), offer.thank_you_url] as [string, string]]),
    ...(['reject', 'hold', 'flag'] as const).flatMap((action): [string, string][] => {
      const those = INTEGRITY_CHECKS.filter((check) => offer.integrity[check].action === action)
      return those.length === 0 ? [] : [[t(`integrity.does.${action}`), those.map((check) => t(`integrity.${check}`)).join(', ')]]
    }),
  ]
  return (
    <Panel title={t('lead.section')} text={offer.editable ? t('lead.cascadeText') : t('lead.notYours')}>
      <Facts of={facts} />
      {offer.editable && offer.groups.every(({ members }) => members.length === 0) && <p className="ohma-soft">{t('lead.noProducts')}</p>}
      {offer.groups.map(({ strategy, members }, at) => (
        <Stack key={at} gap={2} role="group" aria-label={t('lead.group', { number: at + 1 })}>
          <h3 className={classes.title}>
            {t('lead.group', { number: at + 1 })} <span className="ohma-soft">{t(`lead.strategy.${strategy}`)}</span>
          </h3>
          <ol className={classes.steps}>
            {members.map((member, place) => (
              <MemberLine
                key={member.uuid}
                member={member}
                number={place + 1}
                offer={offer}
                weights={strategy === 'weight' ? members.reduce((sum, { weight }) => sum + weight, 0) : null}
              />
            ))}
          </ol>
        </Stack>
      ))}
    </Panel>
  )
}

function MemberLine({
  member,
  number,
  weights,
  offer: { currency, goals, integration_type },
}: {
  member: ApiOfferMember
  number: number
  /** All weights of its group, where they decide; null = they do not. */
  weights: number | null
  offer: ApiOfferDetail
}) {
  const titles = new Map(goals.map(({ code, title }) => [code, title]))
  const { t } = useTranslation('offer')
  const { t: cap } = useTranslation('cap')
  const lacking = useLackingWords()(integration_type, member.needs)
  const mayOpen = useScreens().has('advertiserEdit')
  const { caps, used, prices, geos, hours, time_zone: zone, own } = member
  const level = (of: number, { period, limit }: Pick<(typeof caps)[number], 'period' | 'limit'>) =>
    `${integer(of)} / ${cap(`short.${period}`, { limit: integer(limit) })}`
  const open = (days: NonNullable<typeof hours>, of: string) =>
    t('lead.hoursIn', { hours: week(days, (day) => t(`lead.day.${day}`)), zone: of.replaceAll('_', ' ') })
  const ownPrices = own.currency === currency ? pricesLeft(prices, own.prices).filter(({ goal }) => titles.has(goal)) : []
  const terms: [string, string[]][] = [
    [t('lead.geos'), [geos.length === 0 ? t('lead.anyGeo') : geos.join(', ')]],
    [t('lead.weight'), weights === null ? [] : [t('lead.weightOf', { weight: integer(member.weight), all: integer(weights) })]],
    [
      t('lead.limits'),
      [
        ...caps.map(({ measure = 'accepted', goal, ...one }, index) => {
          const taken = level(used[index] ?? 0, one)
          if (measure === 'accepted') return taken
          return `${taken} ${measure === 'goal' ? (titles.get(goal ?? '') ?? goal) : t(`lead.measure.${measure}`)}`
        }),
        ...own.caps.map((one) =>
          t('lead.ownTerms', { terms: `${level(one.used, one)}${one.measure === 'sends' ? ` ${t('lead.measure.sends')}` : ''}` }),
        ),
        ...((member.reject_above ?? null) === null ? [] : [t('lead.rejectsUp', { most: member.reject_above ?? 0 })]),
      ],
    ],
    [
      t('lead.openHours'),
      [
        ...(hours === null ? [] : [open(hours, zone)]),
        ...(own.hours === null ? [] : [t('lead.ownTerms', { terms: open(own.hours, own.time_zone) })]),
      ],
    ],
    [
      t('lead.prices'),
      [
        ...prices.map((row) => {
          const goal = [titles.get(row.goal) ?? row.goal, row.geos.join(', ')].filter(Boolean).join(' ')
          const price = money(row.price, currency)
          return row.payout === null
            ? t('lead.brings', { goal, price })
            : t('lead.bringsAndPays', { goal, price, payout: money(row.payout, currency) })
        }),
        ...(ownPrices.length === 0 ? [] : [t('lead.ownPrices', { prices: ownPriceWords(ownPrices, goals, currency).join(', ') })]),
      ],
    ],
    [t('lead.onReject'), member.on_reject === 'stop' ? [t('lead.onReject.stop')] : []],
    [t('lead.onTimeout'), member.on_timeout === 'next' ? [t('lead.onTimeout.next')] : []],
  ]
  return (
    <li>
      <strong>
        {number}. {member.product.name}
      </strong>
      {mayOpen ? (
        <Anchor component={ScreenLink} to="advertiserEdit" params={{ uuid: member.advertiser.uuid }} size="sm">
          {member.advertiser.name}
        </Anchor>
      ) : (
        <span className="ohma-soft">{member.advertiser.name}</span>
      )}
      {lacking !== '' && <StatusBadge tone="waiting" label={t('lead.needs', { fields: lacking })} />}
      <MemberState of={member} />
      <dl className={classes.terms}>
        {terms
          .filter(([, words]) => words.length > 0)
          .map(([name, words]) => (
            <div key={name}>
              <dt>{name}</dt>
              {words.map((text) => (
                <dd key={text}>{text}</dd>
              ))}
            </div>
          ))}
      </dl>
    </li>
  )
}

/** Days in a row with the same hours together: "Monday–Friday 09:00–18:00; Saturday 10:00–14:00". */
function week(hours: NonNullable<ApiOfferMember['hours']>, nameOf: (day: 0 | 1 | 2 | 3 | 4 | 5 | 6) => string): string {
  const runs: { from: number; to: number; text: string }[] = []
  for (const [day, text] of hoursText(hours).entries()) {
    const last = runs.at(-1)
    if (last?.text === text) last.to = day
    else runs.push({ from: day, to: day, text })
  }
  const name = (day: number) => nameOf(day as 0 | 1 | 2 | 3 | 4 | 5 | 6) // there are seven
  return runs
    .filter(({ text }) => text !== '')
    .map(({ from, to, text }) => `${from === to ? name(from) : `${name(from)}–${name(to)}`} ${text}`)
    .join('; ')
}
