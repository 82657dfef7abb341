import { Alert, Button, Group, Text } from '@mantine/core'
import { IconFlame, IconStar, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { domainApi, type domainDetail } from '#contract/network/domain.ts'
import { call } from '#web/api/call.ts'
import { useSave } from '#web/api/query.ts'
import { BurnDialog } from '#web/features/network/domain/burn-dialog.tsx'
import { DOMAIN_STATUS } from '#web/features/network/domain/domain-status.ts'
import { useUseWords } from '#web/features/network/domain/use-words.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

/** Where a domain stands, and what can be done with it. */
export function DomainHead({ of: domain, onGone }: { of: z.output<typeof domainDetail>; onGone: () => void }) {
  const { t } = useTranslation('domain')
  const danger = useCan()('setting.domains_danger')
  const mayMove = danger || domain.kind === 'tracking'
  const wordsOfUse = useUseWords()
  const [burning, setBurning] = useState(false)
  const params = { uuid: domain.uuid }
  const invalidate = [domainApi.list, domainApi.get]
  const usual = useSave(domainApi.setDefault, { invalidate, onSuccess: ({ host }) => notify.success(t('madeDefault', { host })) })
  const undo = useSave(domainApi.undoBurn, { invalidate, onSuccess: ({ host }) => notify.success(t('unburnt', { host })) })
  const remove = useSave(domainApi.remove, {
    invalidate: [domainApi.list],
    onSuccess: () => {
      notify.success(t('removed', { host: domain.host }))
      onGone()
    },
  })
  const ask = async () => {
    const uses = await call(domainApi.uses, { params }).catch(() => undefined)
    if (uses === undefined) return
    const used = uses.default || uses.assignments > 0
    const text = used ? t('remove.used', { uses: wordsOfUse(uses), fallback: uses.fallback }) : t('remove.text')
    if (await confirm({ title: t('remove.title', { host: domain.host }), text, action: t('remove'), danger: true }))
      remove.mutate({ params, body: { confirm: used } })
  }
  const usable = domain.status === 'verified' || domain.status === 'failing'
  return (
    <>
      <Group gap="xs">
        <Status of={DOMAIN_STATUS} value={domain.status} />
        <Text fz={13.5} c="dimmed">
          {[t(`kind.${domain.kind}`), t(`certificate.${domain.certificate}`), ...(domain.default ? [t('use.default')] : [])].join(' · ')}
        </Text>
      </Group>
      {domain.burnt_at !== null && (
        <Alert color="var(--ohma-waiting)" role="note" title={t('burnt.title')}>
          {domain.burnt_reason} · {domain.burnt_by} · <Moment at={domain.burnt_at} />
          <p className="ohma-soft">{t('burnt.text')}</p>
          {domain.undo_until !== null && mayMove && (
            <Button mt={8} size="compact-sm" variant="default" loading={undo.isPending} onClick={() => undo.mutate({ params })}>
              {t('unburn')}
            </Button>
          )}
        </Alert>
      )}
      <Group gap="sm">
        {usable && !domain.default && mayMove && (
          <Button
            variant="default"
            leftSection={<IconStar size={16} aria-hidden />}
            loading={usual.isPending}
            disabled={domain.status === 'failing'}
            onClick={() => usual.mutate({ params })}
          >
            {t('makeDefault')}
          </Button>
        )}
        {usable && mayMove && (
          <Button variant="default" leftSection={<IconFlame size={16} aria-hidden />} onClick={() => setBurning(true)}>
            {t('burn')}
          </Button>
        )}
        {danger && (
          <Button variant="subtle" color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void ask()}>
            {t('remove')}
          </Button>
        )}
      </Group>
      {usable && !domain.default && mayMove && domain.status === 'failing' && (
        <Text fz={13} c="dimmed">
          {t('makeDefault.failing')}
        </Text>
      )}
      {burning && <BurnDialog of={domain} onClose={() => setBurning(false)} />}
    </>
  )
}
