import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { ownPostbackApi } from '#contract/traffic/own-postback.ts'
import { query, useSave } from '#web/api/query.ts'
import { postbackOf, TRACKERS, type TrackerId } from '#web/features/offers/partner-offer/trackers.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { notify } from '#web/notify.ts'
import { screenHref } from '#web/shell/access.ts'

/** The postback of a tracker, ready to be saved as the affiliate's own for every offer. */
export function TrackerPostback({ tracker }: { tracker: TrackerId }) {
  const { t } = useTranslation('partnerPage')
  const { name, example, statuses, query: parameters } = TRACKERS[tracker]
  const saved = useQuery(query(ownPostbackApi.list, {}, { quiet: true })).data?.list ?? []
  // never remembered by the browser: the address may hold a key
  const [typed, setTyped] = useState<string>()
  const address = typed ?? saved.find((one) => one.url.endsWith(`?${parameters}`))?.url.split('?')[0] ?? ''
  const url = postbackOf(tracker, address)
  const isSaved = saved.some((one) => one.url === url)
  const save = useSave(ownPostbackApi.create, {
    invalidate: [ownPostbackApi.list],
    onSuccess: () => notify.success(t('tracker.saved', { name })),
  })
  return (
    <Stack gap="xs" mt="md">
      <TextInput
        label={t('tracker.address', { name })}
        description={t('tracker.addressHelp')}
        placeholder={example}
        inputMode="url"
        maxLength={500}
        value={address}
        error={address.trim() !== '' && url === undefined ? t('tracker.addressWrong', { example }) : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {url !== undefined && (
        <>
          <CopyField label={t('tracker.postback')} text={url} />
          <Group gap="sm">
            <Button
              variant="default"
              disabled={isSaved}
              loading={save.isPending}
              onClick={() => save.mutate({ body: { offer_uuid: null, goal: null, statuses, method: 'GET', url } })}
            >
              {t(isSaved ? 'tracker.isSaved' : 'tracker.use')}
            </Button>
            <Button component={Link} to={screenHref('settingsPostback')} variant="subtle">
              {t('tracker.settings')}
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            {t(statuses.length === 0 ? 'tracker.everyStatus' : 'tracker.onlyApproved', { name })}
          </Text>
        </>
      )}
    </Stack>
  )
}
