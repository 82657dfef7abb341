import { Badge, Box, Popover, Stack } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { useRuntime } from '#web/shell/runtime.ts'

/** Says in a demo network that nothing in it is real, and on a press how to begin with an empty one; nothing in a real network. */
export function DemoBadge() {
  const { t } = useTranslation('layout')
  const { demo } = useRuntime()
  if (!demo) return null
  return (
    <Popover position="bottom-end" width={360} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Badge
          component="button"
          type="button"
          aria-label={t('demo')}
          variant="outline"
          color="var(--ohma-waiting)"
          size="lg"
          radius="sm"
          tt="none"
          flex="none"
          mr={6}
          style={{ cursor: 'pointer' }}
        >
          <Box visibleFrom="sm" component="span">
            {t('demo')}
          </Box>
          <Box hiddenFrom="sm" component="span" display="block">
            <IconFlask size={14} style={{ display: 'block' }} aria-hidden />
          </Box>
        </Badge>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 16px)" aria-label={t('demo')}>
        <Stack gap={10} fz={13.5}>
          <p>{t('demo.what')}</p>
          <p>{t('demo.start')}</p>
          <CopyField text="DEMO=0 npm start" label={t('demo.command')} />
          <p className="ohma-soft">{t('demo.left')}</p>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
