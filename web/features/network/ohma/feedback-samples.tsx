import { Button, Group } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { CallError } from '#web/api/call-error.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import { notify } from '#web/notify.ts'

const FAILURE = new CallError('Server error', {
  status: 500,
  codes: { 500: 'Server error. Please contact support.' },
  requestId: 'req-7f3a91c2',
})

/** States, toasts and questions. */
export function FeedbackSamples() {
  return (
    <>
      <Group gap="10px 14px">
        <Button variant="default" onClick={() => notify.success('Coppied!')}>
          Success toast
        </Button>
        <Button variant="default" onClick={() => notify.error('400 - Bad request. Please check your input.')}>
          Error toast
        </Button>
        <Button variant="default" onClick={() => offerUndo('12 affiliates are now: Banned', () => notify.success('Taken back'))}>
          Undo toast
        </Button>
        <Button
          variant="default"
          onClick={() =>
            void confirm({ title: 'Delete this offer?', text: 'Its links stop working at once.', action: 'Delete offer', danger: true })
          }
        >
          Question
        </Button>
      </Group>
      <EmptyState
        icon={<IconUsers size={26} stroke={1.6} aria-hidden />}
        title="No affiliates yet"
        text="Affiliates bring the traffic. Add the first one and send the link."
        action={<Button>Add affiliate</Button>}
      />
      <ErrorState what="This list could not be loaded" error={FAILURE} onRetry={() => {}} />
    </>
  )
}
