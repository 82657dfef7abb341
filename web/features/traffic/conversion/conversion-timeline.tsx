import { Group, Stack, Text, Timeline } from '@mantine/core'
import { IconArrowDownLeft, IconArrowUpRight, IconClick, IconCoins, IconFlag } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { dateTime } from '#web/format.ts'
import type { ConversionLife } from '#web/features/traffic/conversion/conversion-life.ts'
import { Booking } from '#web/features/traffic/conversion/booking.tsx'
import { PostbackOut } from '#web/postback-out.tsx'
import { StatusChange } from '#web/features/traffic/conversion/status-change.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { Panel } from '#web/kit/page/panel.tsx'

type Event = { key: string; at: string; icon: ReactNode; title: string; content: ReactNode }

/** Click, postbacks, changes of status and bookings as one story, oldest first. */
export function ConversionTimeline({ life }: { life: ConversionLife }) {
  const { t } = useTranslation('conversion')
  const zone = useZone()
  const { click, postbacks_in, history, postbacks_out, money, conversion } = life
  const own = conversion.revenue === undefined
  const events: Event[] = [
    {
      key: 'click',
      at: conversion.click_at,
      icon: <IconClick size={16} aria-hidden />,
      title: t('event.click'),
      content: click === null ? <p className="ohma-soft">{t('clickGone')}</p> : <ClickEvent click={click} />,
    },
    ...postbacks_in.map((one) => ({
      key: `in ${one.id}`,
      at: one.at,
      icon: <IconArrowDownLeft size={16} aria-hidden />,
      title: t('event.in'),
      content: <PostbackIn postback={one} />,
    })),
    ...history.map((one, index) => ({
      key: `status ${index}`,
      at: one.at,
      icon: <IconFlag size={16} aria-hidden />,
      title: t(one.from === null ? 'event.created' : one.from === one.to ? 'event.amount' : 'event.status'),
      content: <StatusChange change={one} before={history[index - 1]} currency={conversion.currency} />,
    })),
    ...money.map((one, index) => ({
      key: `money ${index}`,
      at: one.at,
      icon: <IconCoins size={16} aria-hidden />,
      title: t(`booking.${one.kind}` as 'booking.payout', { defaultValue: one.kind }), // kinds the file does not know stay as they are
      content: <Booking booking={one} own={own} />,
    })),
    ...postbacks_out.map((one) => ({
      key: `out ${one.uuid}`,
      at: one.at,
      icon: <IconArrowUpRight size={16} aria-hidden />,
      title: t(own ? 'event.toYou' : 'event.out'),
      content: <PostbackOut postback={one} />,
    })),
  ]
  // stable: what happened at the same moment stays in the order of cause and effect
  const sorted = events.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return (
    <Panel title={t('timeline')} text={t('zone', { zone: zone.replaceAll('_', ' ') })}>
      <Timeline active={-1}>
        {sorted.map(({ key, at, icon, title, content }) => (
          <Timeline.Item key={key} bullet={icon}>
            <Group gap="2px 12px" align="baseline" mb={6}>
              <h3>{title}</h3>
              <Text component="time" dateTime={at} fz={13} c="dimmed">
                {dateTime(at, zone, { seconds: true })}
              </Text>
            </Group>
            <Stack gap={6}>{content}</Stack>
          </Timeline.Item>
        ))}
      </Timeline>
    </Panel>
  )
}

/** The click: who came, and how it was judged. */
function ClickEvent({ click }: { click: NonNullable<ConversionLife['click']> }) {
  const { t } = useTranslation('conversion')
  const { t: report } = useTranslation('report')
  const { t: words } = useTranslation('click')
  const flags = click.flags.map((flag) => words(`flag.${flag}` as 'flag.bot', { defaultValue: flag })) // flags the file does not know stay as they are
  const device = click.device && report(`code.${click.device}` as 'code.desktop', { defaultValue: click.device })
  return (
    <Group gap="4px 14px">
      <Country code={click.geo} />
      <span>{[device, click.os, click.browser].filter(Boolean).join(' · ')}</span>
      <span>{click.ip}</span>
      {click.reason !== '' && <strong>{report(`code.${click.reason}` as 'code.no_access', { defaultValue: click.reason })}</strong>}
      {flags.length > 0 && <span>{t('marked', { flags: flags.join(', ') })}</span>}
    </Group>
  )
}

/** What the advertiser reported, as it came. */
function PostbackIn({ postback }: { postback: ConversionLife['postbacks_in'][number] }) {
  const { t } = useTranslation('postbackLog')
  return (
    <>
      <Group gap="4px 14px">
        <strong>{t(`outcome.${postback.outcome}` as 'outcome.created', { defaultValue: postback.outcome })}</strong>
        <span>HTTP {postback.http_status}</span>
        {postback.ip !== '' && <span>{postback.ip}</span>}
        {postback.reason !== '' && (
          <span>{t(`reason.${postback.reason}` as 'reason.click_id_missing', { defaultValue: postback.reason })}</span>
        )}
      </Group>
      {(postback.query !== '' || postback.body !== '') && (
        <RawText>{`${postback.method} ${postback.query}${postback.body === '' ? '' : `\n\n${postback.body}`}`}</RawText>
      )}
    </>
  )
}
