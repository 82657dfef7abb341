import { Alert, Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Say } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { AMOUNT_MEANINGS, dialectApi, type Dialect } from '#contract/traffic/dialect.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { shapeApi } from '#contract/traffic/shape.ts'
import { call } from '#web/api/call.ts'
import { invalidate, query } from '#web/api/query.ts'
import { addAmounts } from '#contract/money/amount.ts'
import { integer, money } from '#web/format.ts'
import { AmountChoice, isAnswered } from '#web/features/traffic/dialect/amount-choice.tsx'
import { meaningIn, minorNames, withMeaning } from '#web/features/traffic/dialect/mapping.ts'
import { ShapeFields } from '#web/features/traffic/dialect/shape-fields.tsx'
import { ShapeResult } from '#web/features/traffic/dialect/shape-result.tsx'
import { ShapeWords } from '#web/features/traffic/dialect/shape-words.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

type Shape = CallOutput<typeof shapeApi.list>['list'][number]
type Proposed = CallOutput<typeof shapeApi.propose>
type Props = { shape: Shape; onClose: () => void }

/** How calls of one shape are to be read: what is proposed, what it would book, and the one click that books it. */
export function ShapeMapping({ shape, onClose }: Props) {
  const { t } = useTranslation('dialect')
  const named = { advertiser_uuid: shape.advertiser.uuid, shape: shape.shape }
  // what somebody has begun to change is not proposed anew under their hands
  const found = useQuery({ ...query(shapeApi.propose, { body: named }), staleTime: Infinity, gcTime: 0 })
  return (
    <Modal opened onClose={onClose} title={t('mapping.title', { name: shape.advertiser.name })} size={920} centered>
      <QueryPage query={found} failed={t('mapping.failed')}>
        {(proposed) => <Mapping key={proposed.version} named={named} proposed={proposed} onDone={onClose} />}
      </QueryPage>
    </Modal>
  )
}

function Mapping({
  named,
  proposed,
  onDone,
}: {
  named: { advertiser_uuid: string; shape: string }
  proposed: Proposed
  onDone: () => void
}) {
  const { t } = useTranslation('dialect')
  const client = useQueryClient()
  const mayEdit = useCan()('offer.write')
  const { amount } = proposed
  // of an amount nobody has said anything of yet it is asked
  const [dialect, setDialect] = useState<Dialect>(amount === null ? proposed.dialect : withMeaning(proposed.dialect, amount.name, null))
  const answered = isAnswered(amount, dialect)
  // those that are amounts once this is applied
  const amounts = proposed.fields.filter(
    ({ name, means, calls }) => calls > 0 && AMOUNT_MEANINGS.has(meaningIn(dialect, name) ?? means ?? ''),
  )
  const minor = minorNames(
    dialect,
    amounts.map(({ name }) => name),
  )
  const [busy, setBusy] = useState(false)
  const rehearsed = useQuery({
    ...query(shapeApi.rehearse, { body: { ...named, dialect } }, { quiet: true }),
    enabled: answered,
    staleTime: Infinity,
    gcTime: 0,
  })

  const apply = async () => {
    setBusy(true)
    try {
      let replayed = 0
      let { version } = proposed
      let before: string | null = null
      do {
        const done: CallOutput<typeof shapeApi.apply> = await call(shapeApi.apply, { body: { ...named, version, dialect, before } })
        replayed += done.replayed
        ;({ version, before } = done)
      } while (before !== null)
      notify.success(t('mapping.done', { count: replayed, number: integer(replayed) }))
      onDone()
    } catch {
      // the call has said why; what was applied before it stays
    } finally {
      setBusy(false)
      await invalidate(client, [shapeApi.list, dialectApi.get, dialectApi.presets, postbackApi.list, conversionApi.list])
    }
  }
  return (
    <Stack gap={18}>
      {proposed.replaces !== null && (
        <Text size="sm" c="var(--ohma-waiting)">
          {proposed.replaces === '' ? t('mapping.replacesOwn') : t('mapping.replaces', { system: proposed.replaces })}
        </Text>
      )}
      {proposed.preset_title !== '' && (
        <Alert p="xs" color="var(--ohma-accent)">
          {t('mapping.preset', { system: proposed.preset_title })}
        </Alert>
      )}
      {proposed.rebills.length > 0 && (
        <Alert color="var(--ohma-waiting)" variant="light" title={t('rebill')}>
          <Text fz={14}>{t('rebill.text')}</Text>
          <List fz={14} mt={4}>
            {proposed.rebills.map(({ uuid, name }) => (
              <List.Item key={uuid}>
                {mayEdit ? (
                  <Anchor component={ScreenLink} to="offerEditDirect" params={{ uuid }}>
                    {t('rebill.make', { offer: name })}
                  </Anchor>
                ) : (
                  t('rebill.make', { offer: name })
                )}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <ShapeFields fields={proposed.fields} dialect={dialect} onChange={setDialect} />
      {proposed.words.length > 0 && <ShapeWords words={proposed.words} goals={proposed.goals} dialect={dialect} onChange={setDialect} />}
      {amount !== null && <AmountChoice named={named} asked={amount} dialect={dialect} proposed={proposed.dialect} onChange={setDialect} />}
      {answered ? <ShapeResult rehearsed={rehearsed} minor={minor} /> : <Text c="dimmed">{t('amountIs.ask')}</Text>}
      <Group justify="space-between" gap="sm">
        <Text fz={13} c="dimmed" maw={520}>
          {t('mapping.text')}
        </Text>
        <Group gap="sm">
          <Button variant="default" onClick={onDone} disabled={busy}>
            {t('mapping.cancel')}
          </Button>
          <Button onClick={() => void apply()} loading={busy} disabled={rehearsed.data === undefined || !answered}>
            {bookedBy(rehearsed.data, t) ?? t('mapping.apply')}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

/** What the button books, in money; undefined where that is nothing, or in several currencies. */
function bookedBy(rehearsed: CallOutput<typeof shapeApi.rehearse> | undefined, t: Say<'dialect'>): string | undefined {
  const sums = rehearsed?.sums.filter(({ status }) => status !== 'declined' && status !== 'trash') ?? []
  const [currency, ...others] = new Set(sums.map((one) => one.currency))
  if (currency === undefined || others.length > 0) return undefined
  const count = sums.reduce((sum, { conversions }) => sum + conversions, 0)
  const [revenue, payout] = [addAmounts(...sums.map((one) => one.revenue)), addAmounts(...sums.map((one) => one.payout))]
  return t('mapping.book', { count, number: integer(count), revenue: money(revenue, currency), payout: money(payout, currency) })
}
