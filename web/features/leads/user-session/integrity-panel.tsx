import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { CallOutput } from '#contract/endpoint.ts'
import { integrityApi, type IntegrityPart, type IntegrityVerdict } from '#contract/leads/integrity.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { call } from '#web/api/call.ts'
import { invalidate, refetchInbox } from '#web/api/query.ts'
import { countryName, dateTime, integer } from '#web/format.ts'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { notify } from '#web/notify.ts'

const TONES: Readonly<Record<IntegrityVerdict | IntegrityPart['action'], Tone>> = {
  unchecked: 'muted',
  clean: 'good',
  flagged: 'waiting',
  held: 'waiting',
  rejected: 'bad',
  none: 'muted',
  flag: 'waiting',
  hold: 'waiting',
  reject: 'bad',
}

type Found = NonNullable<CallOutput<typeof userSessionApi.detail>['integrity']>

/** What was found about a lead when it came, and what a person said of one that was held. */
export function IntegrityPanel({ uuid, of: { verdict, score, parts, review, decidable } }: { uuid: string; of: Found }) {
  const { t } = useTranslation('userSession')
  const zone = useZone()
  return (
    <Panel title={t('integrity')} text={t('integrity.text')}>
      <Group gap="6px 14px">
        <StatusBadge tone={TONES[verdict]} label={t(`integrity.${verdict}`)} />
        {score > 0 && <span>{t('integrity.score', { score: integer(score) })}</span>}
      </Group>
      {parts.length > 0 && (
        <Stack gap={8} component="ul" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {parts.map((part, index) => (
            <li key={index}>
              <Group gap="2px 10px">
                <strong>{t(`found.${part.found}`)}</strong>
                <StatusBadge tone={TONES[part.action]} label={t(`integrityAction.${part.action}`)} />
              </Group>
              <Detail of={part} />
            </li>
          ))}
        </Stack>
      )}
      {review !== null && (
        <Text>
          {t(review.approved ? 'review.approved' : 'review.rejected', {
            who: review.by ?? t('review.system'),
            at: dateTime(review.at, zone),
          })}
          {review.note !== '' && <span className="ohma-soft"> “{review.note}”</span>}
        </Text>
      )}
      {decidable && <Decision uuid={uuid} />}
    </Panel>
  )
}

/** The figures of what was found, in words. */
function Detail({ of: { found, detail } }: { of: IntegrityPart }) {
  const { t } = useTranslation('userSession')
  const zone = useZone()
  const values = {
    ...detail,
    country: countryName(detail['country'] ?? ''),
    told: countryName(detail['told'] ?? ''),
    kind: t(`listed.${detail['kind'] ?? 'email'}` as 'listed.email'),
    line: t(`line.${detail['line'] ?? ''}` as 'line.voip', { defaultValue: detail['line'] ?? '' }),
    whose: t(`whose.${detail['whose'] === 'same' ? 'same' : 'other'}`),
    at: detail['last_at'] === undefined ? '' : dateTime(detail['last_at'], zone),
  }
  const text = t(`foundText.${found}` as 'foundText.duplicate', { ...values, defaultValue: '' }) // some need no more words
  return text === '' ? null : <span className="ohma-soft">{text}</span>
}

/** Lets a held lead go on, or refuses it. */
function Decision({ uuid }: { uuid: string }) {
  const { t } = useTranslation('userSession')
  const client = useQueryClient()
  const id = useId()
  const [rejecting, setRejecting] = useState(false)
  const [saving, setSaving] = useState(false)
  const [note, setNote] = useState('')
  const decide = async (approve: boolean) => {
    setSaving(true)
    try {
      const { changed } = await call(integrityApi.review, { body: { uuids: [uuid], approve, note: approve ? '' : note.trim() } })
      if (changed === 0) notify.error(t('review.late'))
      setRejecting(false)
    } catch {
      // the call has said why
    }
    setSaving(false)
    await Promise.all([invalidate(client, [userSessionApi.detail, userSessionApi.list]), refetchInbox(client)])
  }
  return (
    <Group gap="xs">
      <Button size="compact-md" loading={saving && !rejecting} onClick={() => void decide(true)}>
        {t('review.approve')}
      </Button>
      <Button size="compact-md" variant="default" disabled={saving} onClick={() => setRejecting(true)}>
        {t('review.reject')}
      </Button>
      {rejecting && (
        <DialogForm
          of={{
            id,
            submit: (event?: { preventDefault(): void }) => {
              event?.preventDefault()
              void decide(false)
            },
            saving,
            dirty: note !== '',
            problems: [],
            reload: undefined,
          }}
          title={t('review.rejectTitle')}
          action={t('review.reject')}
          danger
          onClose={() => setRejecting(false)}
        >
          <Textarea
            label={t('review.note')}
            description={t('review.noteHelp')}
            maxLength={500}
            autosize
            minRows={2}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </DialogForm>
      )}
    </Group>
  )
}
