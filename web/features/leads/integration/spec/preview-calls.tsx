import { Alert, Button, Stack, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { integrationApi } from '#contract/leads/integration.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { stepName } from '#web/lead-call-name.ts'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { useSave } from '#web/api/query.ts'
import classes from './spec.module.css'

/** What would be sent for a lead nobody is, by what stands in the form now. Nothing is sent. */
export function PreviewCalls({ spec }: { spec: () => IntegrationSpec }) {
  const { t } = useTranslation('integration')
  const preview = useSave(integrationApi.preview, { invalidate: [] })
  return (
    <Stack gap={10} align="flex-start" data-wide>
      <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate({ body: { spec: spec(), values: {} } })}>
        {t('preview')}
      </Button>
      {preview.data?.calls.map(({ step, method, url, headers, body, missing, too_long: tooLong }) => (
        <div key={step} role="group" aria-label={stepName(step, wordsOf(t))} style={{ width: '100%' }}>
          <Text fz={13} fw={600}>
            {stepName(step, wordsOf(t))}
          </Text>
          {missing.length > 0 || tooLong !== '' ? (
            <Alert color="yellow">
              {tooLong === '' ? t('preview.missing', { names: missing.join(', ') }) : t('preview.tooLong', { name: tooLong })}
            </Alert>
          ) : (
            <pre className={classes.code}>
              {[`${method} ${url}`, ...headers.map(({ name, value }) => `${name}: ${value}`), '', body ?? ''].join('\n').trim()}
            </pre>
          )}
        </div>
      ))}
    </Stack>
  )
}
