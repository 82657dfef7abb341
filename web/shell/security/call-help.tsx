import { Anchor, Button, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CALLS_A_MINUTE } from '#contract/people/api-key.ts'
import { authApi } from '#contract/people/auth.ts'
import { copyAloud } from '#web/kit/show/copy.ts'
import { runtime } from '#web/shell/runtime.ts'
import style from './security.module.css'

/** How a program calls with a key, at this network's own address; with the key itself where it is shown. */
export function CallHelp({ apiKey = 'ohma_…' }: { apiKey?: string }) {
  const { t } = useTranslation('security')
  const origin = runtime().api_origin ?? location.origin
  const command = `curl ${origin}${authApi.me.path} \\\n  -H "Authorization: Bearer ${apiKey}"`
  return (
    <div>
      <Text fz={13} c="dimmed" mb={6}>
        {t('call.text', { count: CALLS_A_MINUTE })}{' '}
        <Anchor href={`${origin}/api/openapi.json`} target="_blank" rel="noopener" underline="always" fz="inherit">
          {t('call.reference')}
        </Anchor>
      </Text>
      <div className={style.command}>
        {/* long lines are scrolled, by keys too */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <pre tabIndex={0} aria-label={t('call.command')}>
          {command}
        </pre>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconCopy size={14} aria-hidden />}
          aria-label={t('call.copy')}
          onClick={() => void copyAloud(command)}
        >
          {t('codes.copy')}
        </Button>
      </div>
    </div>
  )
}
