import { useTranslation } from '#web/i18n/use-translation.ts'
import { ROOMS, type KeyScope } from '#contract/people/key-scope.ts'

/** What scopes come to in words: "People: read · Traffic: read and change". */
export function useScopeWords(): (scopes: readonly KeyScope[]) => string {
  const { t } = useTranslation('security')
  return (scopes) =>
    ROOMS.flatMap((room) => {
      const may = scopes.includes(`${room}.write`) ? 'write' : scopes.includes(`${room}.read`) ? 'read' : undefined
      return may === undefined ? [] : [`${t(`room.${room}`)}: ${t(`scope.${may}`).toLocaleLowerCase()}`]
    }).join(' · ')
}
