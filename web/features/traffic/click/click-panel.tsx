import { Anchor, Group, List, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { z } from 'zod'
import { clickApi, type clickDetail } from '#contract/traffic/click.ts'
import { CLICK_COLUMNS, CLICK_DETAILS, CLICK_TEXTS, type ClickDetail, type ClickText } from '#contract/traffic/click-column.ts'
import { query } from '#web/api/query.ts'
import { KIND_TONES, nameOf, type Click } from '#web/features/traffic/click/click-columns.tsx'
import { reasonOf, useLifeHref } from '#web/conversion-words.ts'
import { ConversionStatusBadge } from '#web/conversion-status.tsx'
import { dateTime, UNKNOWN } from '#web/format.ts'
import { PostbackOut } from '#web/postback-out.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useCan, useScreens } from '#web/shell/access.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { simulatorHref } from '#web/simulator-address.ts'

type ClickLife = z.output<typeof clickDetail>
type Fact = readonly [name: string, value: ReactNode]

type ClickPanelProps = { clickId: string; among: readonly string[]; onShow: (clickId: string) => void; onClose: () => void }

/** One click over the list: how it was judged, what its link and its visitor said, and its conversions. */
export function ClickPanel({ clickId, among, onShow, onClose }: ClickPanelProps) {
  const { t } = useTranslation('click')
  const found = useQuery(query(clickApi.get, { params: { uuid: clickId } }, { quiet: true }))
  const click = found.data?.click
  return (
    <SidePanel
      size={640}
      open={clickId}
      among={among}
      onShow={onShow}
      onClose={onClose}
      title={click === undefined ? t('one') : `${t('one')} · ${nameOf(click.offer)}`}
    >
      <QueryPage query={found} failed={t('failed')}>
        {(life) => (
          <Stack miw={0}>
            <Judged click={life.click} />
            <Conversions of={life.conversions} />
            {life.postbacks_in.length > 0 && <PostbacksIn of={life.postbacks_in} />}
            {life.postbacks_out.length > 0 && <PostbacksOut of={life.postbacks_out} />}
            <FactsOf click={life.click} />
          </Stack>
        )}
      </QueryPage>
    </SidePanel>
  )
}

function Judged({ click }: { click: Click }) {
  const { t } = useTranslation('click')
  const { t: report } = useTranslation('report')
  const zone = useZone()
  const reason = click.reason && report(`code.${click.reason}` as 'code.no_access', { defaultValue: click.reason }) // codes the file does not know stay as they are
  const again = useScreens().has('offerDetailDirect') ? simulatorHref(click) : undefined
  const flags = click.flags.map((flag) => t(`flag.${flag}` as 'flag.bot', { defaultValue: flag }))
  return (
    <Panel title={t('judged')} text={t(`judged.${click.kind}`)}>
      <Facts
        of={filled([
          [
            t('kind'),
            <span key="kind">
              <StatusBadge tone={KIND_TONES[click.kind]} label={t(`kind.${click.kind}`)} /> {reason}
            </span>,
          ],
          [
            t('at'),
            <time key="at" dateTime={click.at}>{`${dateTime(click.at, zone, { seconds: true })} (${zone.replaceAll('_', ' ')})`}</time>,
          ],
          [t('flags'), flags.join(', ')],
          [t('clickId'), copied(click.click_id)],
        ])}
      />
      {again !== undefined && (
        <Anchor component={Link} to={again}>
          {t('again')}
        </Anchor>
      )}
    </Panel>
  )
}

function Conversions({ of }: { of: ClickLife['conversions'] }) {
  const { t } = useTranslation('click')
  const { t: conversion } = useTranslation('conversion')
  const hrefOf = useLifeHref()
  return (
    <Panel title={t('conversions')}>
      <List listStyleType="none" spacing={12}>
        {of.length === 0 && <li className="ohma-soft">{t('conversions.none')}</li>}
        {of.map((one) => (
          <List.Item key={one.uuid}>
            <Group gap="4px 14px">
              <Anchor component={Link} to={hrefOf(one.uuid)}>
                {[`#${one.id}`, one.goal?.title].filter(Boolean).join(' · ')}
              </Anchor>
              <ConversionStatusBadge status={one.status} />
              <Moment at={one.created_at} />
            </Group>
            <Group gap="4px 14px">
              <span>
                {conversion('payout')} <Money amount={one.payout} currency={one.currency} />
              </span>
              {one.revenue !== undefined && (
                <span>
                  {conversion('revenue')} <Money amount={one.revenue} currency={one.currency} />
                </span>
              )}
              {one.reason !== '' && <span className="ohma-soft">{reasonOf(conversion, one.reason)}</span>}
            </Group>
          </List.Item>
        ))}
      </List>
    </Panel>
  )
}

/** What its advertiser reported, and what became of it: why a click that was paid for has no conversion. */
function PostbacksIn({ of }: { of: ClickLife['postbacks_in'] }) {
  const { t } = useTranslation('click')
  const { t: log } = useTranslation('postbackLog')
  return (
    <Panel title={t('postbacksIn')}>
      <List listStyleType="none" spacing={8}>
        {of.map((one) => (
          <List.Item key={one.id}>
            <Group gap="4px 14px">
              <Moment at={one.at} log />
              {/* outcomes and reasons the file does not know stay as they are */}
              <strong>{log(`outcome.${one.outcome}` as 'outcome.created', { defaultValue: one.outcome })}</strong>
              <span>HTTP {one.http_status}</span>
              {one.reason !== '' && <span>{log(`reason.${one.reason}` as 'reason.click_id_missing', { defaultValue: one.reason })}</span>}
            </Group>
          </List.Item>
        ))}
      </List>
    </Panel>
  )
}

/** What the affiliate was told of its conversions, with every attempt. */
function PostbacksOut({ of }: { of: ClickLife['postbacks_out'] }) {
  const { t } = useTranslation('click')
  const own = !useCan()('report.money')
  return (
    <Panel title={t(own ? 'postbacksToYou' : 'postbacksOut')}>
      <List listStyleType="none" spacing={12}>
        {of.map((one) => (
          <List.Item key={one.uuid}>
            <Moment at={one.at} log />
            <PostbackOut postback={one} />
          </List.Item>
        ))}
      </List>
    </Panel>
  )
}

/** Texts of a click that its link brought along; all others were found out about the visitor. */
const OF_LINK: ReadonlySet<string> = new Set(['source', 'aff_click_id', 'ad_param', 'ad_id', 'unread'])
/** Details that tell more of a text stand behind it. */
const BEHIND: Partial<Record<ClickDetail, ClickText>> = {
  referrer_path: 'referrer',
  ad_id: 'ad_param',
}

function FactsOf({ click }: { click: Click }) {
  const { t } = useTranslation('click')
  const { t: dimension } = useTranslation('dimension')
  const { t: report } = useTranslation('report')
  const coded = (code: string) => code && report(`code.${code}` as 'code.desktop', { defaultValue: code }) // codes the file does not know stay as they are
  const drawn: Partial<Record<string, ReactNode>> = {
    geo: click.geo && <Country code={click.geo} />,
    device: coded(click.device),
    connection: coded(click.connection),
  }
  const detail = (id: ClickDetail) => ({
    id,
    fact: [t(id), CLICK_COLUMNS[id].holds === 'code' ? copied(click[id]) : click[id]] as const,
  })
  const texts = [
    ...CLICK_TEXTS.flatMap((id) => [
      { id, fact: [dimension(id), drawn[id] ?? click[id]] as const },
      ...CLICK_DETAILS.filter((one) => BEHIND[one] === id).map(detail),
    ]),
    ...CLICK_DETAILS.filter((one) => BEHIND[one] === undefined).map(detail),
  ]
  const textsOf = (link: boolean) => texts.filter(({ id }) => OF_LINK.has(id) === link).map(({ fact }) => fact)
  return (
    <>
      <Panel title={t('link')}>
        <Facts
          of={filled([
            ...(['offer', 'affiliate', 'advertiser', 'prelanding', 'landing'] as const).map(
              (id) => [dimension(id), named(click[id])] as const,
            ),
            ...textsOf(true),
            // sub1 to sub10
            ...click.subs.map((sub, index) => [dimension(`sub${index + 1}` as 'sub1'), sub] as const),
          ])}
        />
      </Panel>
      <Panel title={t('visitor')}>
        <Facts of={filled(textsOf(false))} />
      </Panel>
    </>
  )
}

/** Without what is empty. */
function filled(facts: readonly Fact[]): Fact[] {
  return facts.filter(([_name, value]) => value !== '' && value !== null)
}

const copied = (text: string | null) => (text ? <CopyText text={text} /> : null)

function named(key: Click['affiliate']): string {
  const name = nameOf(key)
  return name === UNKNOWN ? '' : name
}
