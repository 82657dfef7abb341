import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconEye, IconPencil } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { actingApi } from '#contract/people/acting.ts'
import { authApi } from '#contract/people/auth.ts'
import { useSave } from '#web/api/query.ts'
import { AllowChangesDialog } from '#web/shell/layout/allow-changes-dialog.tsx'
import { exitActing } from '#web/shell/session.ts'
import classes from '#web/shell/layout/layout.module.css'
import type { Profile } from '#web/shell/layout/profile.ts'

/** On top of everything while a member of staff acts as an affiliate: as whom, whether they only look, how long still, and the way back. */
export function ActingBand({ acting }: { acting: NonNullable<Profile['acting']> | undefined }) {
  const { t } = useTranslation('layout')
  const { t: security } = useTranslation('security')
  const [leaving, setLeaving] = useState(false)
  const [allowing, setAllowing] = useState(false)
  const onlyLook = useSave(actingApi.onlyLook, { invalidate: [authApi.me] })
  const changes = acting?.may_change === true
  const minutes = useMinutesUntil(acting?.expires_at)
  const look = { flex: 'none', variant: 'outline', color: changes ? 'white' : 'dark', loading: onlyLook.isPending } as const
  const other = () => (changes ? onlyLook.mutate({}) : setAllowing(true))
  const otherName = security(changes ? 'acting.onlyLook' : 'acting.allow')
  return (
    <Group
      flex="none"
      justify="center"
      wrap="nowrap"
      gap={10}
      mih={40}
      px="md"
      py={4}
      fz={13.5}
      fw={550}
      c={changes ? '#fff' : '#1c1300'}
      bg={changes ? '#b3261e' : '#f5b83d'}
      role="region"
      aria-label={t('acting.label')}
    >
      {changes ? <IconPencil {...ICON} /> : <IconEye {...ICON} />}
      <div className={classes.acting}>
        <Text span inherit className="ohma-clip" visibleFrom={acting && 'sm'}>
          {acting ? t('acting.as', { name: acting.name }) : t('acting.label')}
        </Text>
        {/* on a phone the name alone fits */}
        {acting && (
          <Text span inherit fw={700} className="ohma-clip" hiddenFrom="sm">
            {acting.name}
          </Text>
        )}
        {acting && (
          <Text span inherit fw={450} className="ohma-clip" role="status">
            {security(changes ? 'acting.changing' : 'acting.looking')}
            {minutes !== undefined && (
              <Text span inherit hiddenFrom="sm">
                {' · '}
                {security('acting.minutes', { count: minutes })}
              </Text>
            )}
          </Text>
        )}
      </div>
      {minutes !== undefined && (
        <Text span inherit fw={450} flex="none" visibleFrom="sm">
          {t('acting.left', { count: minutes })}
        </Text>
      )}
      {acting && (
        <>
          <Button visibleFrom="sm" size="compact-sm" {...look} onClick={other}>
            {otherName}
          </Button>
          <ActionIcon hiddenFrom="sm" size={30} {...look} aria-label={otherName} title={otherName} onClick={other}>
            {changes ? <IconEye {...ICON} /> : <IconPencil {...ICON} />}
          </ActionIcon>
        </>
      )}
      <Button
        size="compact-sm"
        flex="none"
        variant="white"
        color="dark"
        loading={leaving}
        onClick={() => {
          setLeaving(true)
          void exitActing()
        }}
      >
        {t('acting.exit')}
      </Button>
      {allowing && acting && <AllowChangesDialog name={acting.name} onClose={() => setAllowing(false)} />}
    </Group>
  )
}

const ICON = { size: 17, style: { flex: 'none' }, 'aria-hidden': true } as const

/** Whole minutes until a moment, counted down; never below zero. */
function useMinutesUntil(moment: string | undefined): number | undefined {
  const [minutes, setMinutes] = useState<number>()
  useEffect(() => {
    if (moment === undefined) return
    const count = () => setMinutes(Math.max(0, Math.ceil((new Date(moment).getTime() - Date.now()) / 60_000)))
    count()
    const timer = setInterval(count, 10_000)
    return () => clearInterval(timer)
  }, [moment])
  return minutes
}
