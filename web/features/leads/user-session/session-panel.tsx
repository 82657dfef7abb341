import { Anchor, Group, Stack, Text, Timeline } from '@mantine/core'
import {
  IconArrowRight,
  IconCoins,
  IconDoorEnter,
  IconEye,
  IconFlag,
  IconPhone,
  IconRoute,
  IconUserCheck,
  IconUserPlus,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import type { ScreenId } from '#contract/screens.ts'
import { userSessionApi, type LeadEvent, type UserSession } from '#contract/leads/user-session.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { callReasonWords } from '#web/call-reason.ts'
import { IntegrityPanel } from '#web/features/leads/user-session/integrity-panel.tsx'
import { Quarantine } from '#web/features/leads/user-session/quarantine.tsx'
import { RevealContacts } from '#web/features/leads/user-session/reveal-contacts.tsx'
import { LEAD_STATUS } from '#web/features/leads/user-session/user-session-columns.tsx'
import { SayStatus } from '#web/features/leads/user-session/say-status.tsx'
import { dateTime, integer, money, UNKNOWN } from '#web/format.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { useCan, useScreens } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

type SessionPanelProps = { uuid: string; among: readonly string[]; onShow: (uuid: string) => void; onClose: () => void }

/** One lead over the list: who it is, masked, and what happened to it, step by step. */
export function SessionPanel({ uuid, among, onShow, onClose }: SessionPanelProps) {
  const { t } = useTranslation('userSession')
  const found = useQuery(query(userSessionApi.detail, { params: { uuid } }, { quiet: true }))
  const id = found.data?.session.id
  const checks = (of: ComponentProps<typeof IntegrityPanel>['of']) => <IntegrityPanel key={uuid} uuid={uuid} of={of} />
  return (
    <SidePanel
      size={640}
      open={uuid}
      among={among}
      onShow={onShow}
      onClose={onClose}
      title={id === undefined ? t('one') : `${t('one')} ${id}`}
    >
      <QueryPage query={found} failed={t('failed')}>
        {({ session, told, events, quarantine, integrity, codes }) => (
          <Stack miw={0}>
            {quarantine !== null && <Quarantine key={quarantine.send_uuid} of={quarantine} />}
            {/* what waits for a decision comes first, and what it is decided by */}
            {integrity?.decidable === true && checks(integrity)}
            {quarantine !== null && <Story of={events} />}
            <Person of={session} told={told} codes={codes} />
            {integrity !== undefined && !integrity.decidable && integrity.verdict !== 'unchecked' && checks(integrity)}
            {quarantine === null && <Story of={events} />}
          </Stack>
        )}
      </QueryPage>
    </SidePanel>
  )
}

type PersonProps = { of: UserSession; told: Readonly<Record<string, string>>; codes: CallOutput<typeof userSessionApi.detail>['codes'] }

function Person({ of, told, codes }: PersonProps) {
  const { t } = useTranslation('userSession')
  const { genders } = useConstants()
  const can = useCan()
  const zone = useZone()
  const { affiliate, advertiser, product, offer } = of
  const own = can('offer.partner')
  const facts: [string, ReactNode][] = [
    [t('status'), <StatusBadge key="status" tone={LEAD_STATUS.tones[of.status]} label={t(`status.${of.status}`)} />],
    [t('reason'), of.reason === '' ? '' : t(`reason.${of.reason}` as 'reason.repeat', { defaultValue: of.reason })], // reasons the file does not know stay as they are
    // the first of them is the reason
    [t('codes'), codes.length < 2 ? '' : codes.map((code) => t(`reason.${code}`)).join(', ')],
    [t('next_try_at'), of.next_try_at ? dateTime(of.next_try_at, zone) : ''],
    [t('call_status'), of.call_status === null ? '' : t(`call.${of.call_status}`)],
    [t('person'), [of.name, of.email, of.phone].filter(Boolean).join(' · ')],
    [t('country'), <Country key="country" code={of.country} />],
    // what nobody told is not said
    [t('gender'), genders.some(({ value }) => value === of.gender) ? t(`gender.${of.gender}`) : ''],
    [t('offer'), <Leading key="offer" to={own ? 'partnerOfferApi' : 'offerDetailApi'} of={offer} />],
    // nobody is told who they are themselves
    [t('affiliate'), affiliate && !own ? <Leading key="affiliate" to="affiliateEdit" of={affiliate} /> : ''],
    [t('advertiser'), advertiser ? <Leading key="advertiser" to="advertiserEdit" of={advertiser} /> : ''],
    [
      t('product'),
      product && advertiser ? (
        <Leading
          key="product"
          to="advertiserEdit"
          of={{ uuid: advertiser.uuid, name: product.name }}
          search={`?tab=products&product=${product.uuid}`}
        />
      ) : (
        (product?.name ?? '')
      ),
    ],
    [t('recold'), of.recold ? <Leading key="recold" to="recold" of={of.recold} /> : ''],
    [t('click_id'), <CopyText key="click" text={of.click_id} />],
    [t(own ? 'own_id' : 'external_id'), of.external_id ?? ''],
    ...Object.entries(told)
      .filter(([, value]) => value !== 'unknown')
      .map(([name, value]): [string, ReactNode] => [
        t(name as 'device', { defaultValue: name }), // names the file does not know stay as they are, and so do devices
        name === 'device'
          ? t(`deviceKind.${value}` as 'deviceKind.tv', { defaultValue: value })
          : name === 'registered_at' && !Number.isNaN(Date.parse(value))
            ? dateTime(value, zone)
            : value,
      ]),
  ]
  return (
    <Panel title={t('facts')} text={t('masked')}>
      <Facts of={facts.filter(([, value]) => value !== '')} />
      {can('lead.reveal') && <RevealContacts key={of.uuid} uuid={of.uuid} />}
      <SayStatus session={of} />
      {can('person.manage') && (
        <Anchor component={Link} to={`/statistic/api/user-session?tab=person&lead=${of.uuid}`} fz={14}>
          {t('person.open')}
        </Anchor>
      )}
    </Panel>
  )
}

/** What a lead belongs to, as a way there for whoever may open it. */
function Leading({ to, of: { uuid, name }, search }: { to: ScreenId; of: { uuid: string; name: string }; search?: string }) {
  const open = useScreens().has(to)
  return open ? (
    <Anchor component={ScreenLink} to={to} params={{ uuid }} search={search}>
      {name}
    </Anchor>
  ) : (
    name
  )
}

const ICONS = {
  received: IconUserPlus,
  considered: IconRoute,
  sent: IconArrowRight,
  decided: IconFlag,
  called: IconPhone,
  booked: IconCoins,
  entered: IconDoorEnter,
  revealed: IconEye,
  handled: IconUserCheck,
} as const

function Story({ of }: { of: readonly LeadEvent[] }) {
  const { t } = useTranslation('userSession')
  const zone = useZone()
  return (
    <Panel title={t('story')} text={t('zone', { zone: zone.replaceAll('_', ' ') })}>
      <Timeline active={-1}>
        {of.map((one, index) => {
          const Icon = ICONS[one.kind]
          return (
            <Timeline.Item key={index} bullet={<Icon size={16} aria-hidden />}>
              <Group gap="2px 12px" align="baseline" mb={6}>
                <h3>{t(`event.${one.kind}`)}</h3>
                <Text component="time" dateTime={one.at} fz={13} c="dimmed">
                  {dateTime(one.at, zone, { seconds: true })}
                </Text>
              </Group>
              <Stack gap={6}>
                <Step of={one} />
              </Stack>
            </Timeline.Item>
          )
        })}
      </Timeline>
    </Panel>
  )
}

function Step({ of }: { of: LeadEvent }) {
  const { t } = useTranslation('userSession')
  switch (of.kind) {
    case 'received':
      return <span>{t(`origin.${of.origin}`)}</span>
    case 'considered':
      return <Considered of={of} />
    case 'sent':
      return (
        <>
          <Group gap="4px 14px">
            <strong>{[of.product?.name ?? t('other'), of.advertiser?.name].filter(Boolean).join(' · ')}</strong>
            <span>{t(`send.${of.status}` as 'send.accepted', { defaultValue: of.status })}</span>
            {of.http_status !== null && <span>HTTP {of.http_status}</span>}
            {of.took !== null && <span>{t('took', { ms: integer(of.took) })}</span>}
          </Group>
          {of.reason !== '' && <span className="ohma-soft">{callReasonWords(of.reason, wordsOf(t))}</span>}
        </>
      )
    case 'decided':
      return (
        <Group gap="4px 14px">
          <StatusBadge tone={LEAD_STATUS.tones[of.status]} label={t(`status.${of.status}`)} />
          {of.reason !== '' && <span>{t(`reason.${of.reason}` as 'reason.repeat', { defaultValue: of.reason })}</span>}
        </Group>
      )
    case 'called':
      return (
        <Group gap="4px 14px">
          <strong>{of.status === null ? t('unknownWord') : t(`call.${of.status}`)}</strong>
          {of.source === 'staff' ? (
            <span className="ohma-soft">{t('say.by', { name: of.by ?? '' })}</span>
          ) : (
            of.raw !== undefined && <span className="ohma-soft">{t('theirWord', { word: of.raw })}</span>
          )}
          {of.note !== undefined && of.note !== '' && <span className="ohma-soft">{of.note}</span>}
          {of.noted === true && <StatusBadge tone="muted" label={t('noted')} />}
        </Group>
      )
    case 'handled':
      return (
        <>
          <Group gap="4px 14px">
            <strong>{of.by}</strong>
            <span>{t(`handled.${of.action}`)}</span>
            {of.action === 'look_up_send' && <span>{t(`lookUp.${of.result}` as 'lookUp.accepted', { defaultValue: of.result })}</span>}
            {of.action === 'review' && <span>{t(`status.${of.result}` as 'status.held', { defaultValue: of.result })}</span>}
          </Group>
          {of.note !== '' && <span className="ohma-soft">{of.note}</span>}
        </>
      )
    case 'entered':
      return <Entered of={of} />
    case 'revealed':
      return (
        <>
          <Group gap="4px 14px">
            <strong>{of.by}</strong>
            <span>{t(`revealReason.${of.reason}`)}</span>
          </Group>
          <span className="ohma-soft">{of.note}</span>
        </>
      )
    case 'booked':
      return (
        <Group gap="4px 14px">
          <strong>
            <Leading to="statisticApiConversionDetail" of={{ uuid: of.conversion.uuid, name: of.goal ?? UNKNOWN }} />
          </strong>
          <span>{t('payout', { amount: money(of.payout, of.currency) })}</span>
          {of.revenue !== undefined && <span>{t('revenue', { amount: money(of.revenue, of.currency) })}</span>}
        </Group>
      )
  }
}

/** From where somebody opened the link to the advertiser, and what is another than the lead said. */
function Entered({ of }: { of: Extract<LeadEvent, { kind: 'entered' }> }) {
  const { t } = useTranslation('userSession')
  const found = [of.other_country, of.other_address, of.other_agent]
  return (
    <Group gap="4px 14px">
      {of.country !== '' && <Country code={of.country} />}
      {of.other_country === true && <StatusBadge tone="bad" label={t('entered.country')} />}
      {of.other_address === true && <StatusBadge tone="waiting" label={t('entered.address')} />}
      {of.other_agent === true && <StatusBadge tone="waiting" label={t('entered.agent')} />}
      {!found.includes(true) && <span className="ohma-soft">{t(found.includes(false) ? 'entered.alike' : 'entered.unknown')}</span>}
    </Group>
  )
}

/** Whom the cascade looked at in a round, in its order, and why each was passed over. */
function Considered({ of: { members } }: { of: Extract<LeadEvent, { kind: 'considered' }> }) {
  const { t } = useTranslation('userSession')
  const zone = useZone()
  if (members.length === 0) return <span className="ohma-soft">{t('nobody')}</span>
  return (
    <ol>
      {members.map(({ product, passed, check, detail }, index) => (
        <li key={index}>
          <strong>{product?.name ?? t('other')}</strong>{' '}
          <span className="ohma-soft">
            {passed || check === null
              ? t('why.asked')
              : t(detail['of'] === 'product' && (check === 'hours' || check === 'cap') ? `why.${check}Own` : `why.${check}`, {
                  ...detail,
                  opens: detail['opens_at'] === undefined ? UNKNOWN : dateTime(detail['opens_at'], zone),
                })}
          </span>
        </li>
      ))}
    </ol>
  )
}
