import { Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import type { Chosen } from '#web/kit/list/use-list.ts'
import { notify } from '#web/notify.ts'

/** A bulk action that mails set-password links to those of the chosen who have no password, and says how many the others are and why. */
export function MailLinksButton({ list }: { list: Chosen }) {
  const { t } = useTranslation('affiliate')
  const save = useSave(affiliateApi.passwordLinks, {
    onSuccess: ({ mailed, ...passed }) => {
      const reasons = (['with_password', 'not_active', 'later'] as const).filter((reason) => passed[reason] > 0)
      const said = reasons.map((reason) => t(`links.${reason}`, { count: passed[reason], number: integer(passed[reason]) }))
      notify.success([t('links.mailed', { count: mailed, number: integer(mailed) }), ...said].join(' '))
      list.select(new Set())
    },
  })
  return (
    <Button
      size="compact-sm"
      variant="light"
      loading={save.isPending}
      onClick={() => save.mutate({ body: { uuids: list.chosen().map(({ uuid }) => uuid) } })}
    >
      {t('links.mail')}
    </Button>
  )
}
