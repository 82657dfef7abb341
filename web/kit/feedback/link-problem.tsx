import { Alert } from '@mantine/core'
import { CallError, messagesOf } from '#web/api/call-error.ts'
import { errorText } from '#web/i18n/language.ts'

/** Why there is no link, where no field of it says so. */
export function LinkProblem({ error }: { error: Error | null }) {
  if (!(error instanceof CallError) || Object.keys(error.fields).length > 0) return null
  return (
    <Alert color="var(--ohma-bad)" role="alert" mb={10}>
      {messagesOf(error, errorText).join(' ')}
    </Alert>
  )
}
