import { useTranslation } from '#web/i18n/use-translation.ts'
import { BulkMenu } from '#web/kit/list/bulk-menu.tsx'
import type { List } from '#web/kit/list/use-list.ts'
import type { HasStatus, StatusSet } from '#web/kit/status/status-look.ts'
import { useStatus, useStatusOptions } from '#web/kit/status/use-status.tsx'

type StatusMenuProps<Row extends HasStatus<Value>, Value extends string> = {
  list: List<Row>
  of: StatusSet<Value, Row>
  /** Asked before: what else is sent with a status; null where people would rather not. */
  more?: (rows: readonly Row[], status: Value) => Promise<Record<string, unknown> | null>
}

/** A bulk action that gives all chosen rows one status. */
export function StatusMenu<Row extends HasStatus<Value>, Value extends string>({ list, of, more }: StatusMenuProps<Row, Value>) {
  const { t } = useTranslation('common')
  const { set } = useStatus(of)
  const choose = async (rows: readonly Row[], status: Value) => {
    const sent = await more?.(rows, status)
    return sent !== null && (await set(rows, status, sent))
  }
  return <BulkMenu list={list} label={t('setStatus')} options={useStatusOptions(of)} onChoose={choose} />
}
