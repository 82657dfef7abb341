import { Paper, Radio, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Dialect } from '#contract/traffic/dialect.ts'
import { shapeApi } from '#contract/traffic/shape.ts'
import { query } from '#web/api/query.ts'
import { integer, money } from '#web/format.ts'
import { meaningIn, withMeaning } from '#web/features/traffic/dialect/mapping.ts'

type Asked = NonNullable<CallOutput<typeof shapeApi.propose>['amount']>
type Rehearsed = CallOutput<typeof shapeApi.rehearse>
type Props = {
  named: { advertiser_uuid: string; shape: string }
  asked: Asked
  dialect: Dialect
  /** What was proposed, the amount still in it: it says how that is written. */
  proposed: Dialect
  onChange: (dialect: Dialect) => void
}
/** In this order: what the amount is, or that the price that was agreed holds and it is only noted. */
const CHOICES = ['revenue', 'payout', 'amount'] as const
/** Where goals share the sale. */
const OF_SALE = ['sale', 'revenue', 'payout'] as const

/** What an amount is that is none of the agreed prices: each answer with what it would book. Nothing is chosen until somebody does. */
export function AmountChoice({ named, asked, dialect, proposed, onChange }: Props) {
  const { t } = useTranslation('dialect')
  const { name, samples, shares, prices } = asked
  const choices = shares ? OF_SALE : CHOICES
  const agreed = useId()
  const rehearsals = useQueries({
    queries: choices.map((means) => ({
      ...query(shapeApi.rehearse, { body: { ...named, dialect: withMeaning(dialect, name, means, proposed) } }, { quiet: true }),
      staleTime: Infinity,
      gcTime: 0,
    })),
  })
  return (
    <Paper withBorder p="12px 16px">
      <Radio.Group
        label={t('amountIs', { name, samples: samples.join(' · ') })}
        aria-describedby={agreed}
        value={meaningIn(dialect, name) ?? ''}
        onChange={(value) => {
          const means = choices.find((one) => one === value)
          if (means !== undefined) onChange(withMeaning(dialect, name, means, proposed))
        }}
      >
        <Text id={agreed} fz={13} c="dimmed" mt={2}>
          {shares
            ? t('amountIs.shares')
            : t('amountIs.prices', {
                prices: prices
                  .slice(0, 4)
                  .map(({ offer, goal, currency, payout, revenue }) =>
                    t('amountIs.price', { offer, goal, payout: money(payout, currency), revenue: money(revenue, currency) }),
                  )
                  .join('; '),
              })}
        </Text>
        <Stack gap={12} mt={12}>
          {choices.map((means, index) => (
            <Radio key={means} value={means} label={t(`amountIs.${means}`)} description={<Booked of={rehearsals[index]?.data} />} />
          ))}
        </Stack>
      </Radio.Group>
    </Paper>
  )
}

/** Whether it was said what the amount is. */
export function isAnswered(asked: Asked | null, dialect: Dialect): boolean {
  return asked === null || meaningIn(dialect, asked.name) !== null
}

function Booked({ of }: { of: Rehearsed | undefined }) {
  const { t } = useTranslation('dialect')
  const { t: conversion } = useTranslation('conversion')
  if (of === undefined) return <Text span>…</Text>
  if (of.sums.length === 0) return <Text span>{t('amountIs.nothing')}</Text>
  return (
    <>
      {of.sums.map(({ status, currency, conversions, payout, revenue }) => (
        <Text key={`${status} ${currency}`} span display="block" fz="inherit">
          {t(status === 'declined' || status === 'trash' ? 'confirm.noMoney' : 'confirm.line', {
            number: integer(conversions),
            status: conversion(`status.${status}`),
            payout: money(payout, currency),
            revenue: money(revenue, currency),
          })}
        </Text>
      ))}
    </>
  )
}
