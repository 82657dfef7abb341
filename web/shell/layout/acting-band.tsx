import { Button, Group, Text } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exitActing } from '#web/shell/session.ts'
import type { Profile } from '#web/shell/layout/profile.ts'

/** On top of everything while a member of staff acts as an affiliate: as whom, how long still, and the way back. */
export function ActingBand({ acting }: { acting: NonNullable<Profile['acting']> | undefined }) {
  const { t } = useTranslation('layout')
  const [leaving, setLeaving] = useState(false)
  const minutes = useMinutesUntil(acting?.expires_at)
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
      c="#1c1300"
      bg="#f5b83d"
      role="region"
      aria-label={t('acting.label')}
    >
      <IconEye size={17} style={{ flex: 'none' }} aria-hidden />
      <span className="ohma-clip">{acting ? t('acting.as', { name: acting.name }) : t('acting.label')}</span>
      {minutes !== undefined && (
        <Text span inherit fw={450} flex="none">
          {t('acting.left', { count: minutes })}
        </Text>
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
    </Group>
  )
}

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
