import { Alert, Anchor, Button, List } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { focusField, problemsId, UNDER_BAR, type SaveForm } from '#web/kit/form/use-save-form.ts'

/** What keeps the form from being saved: each field with the way to it, or that somebody else saved in between. */
export function FormProblems({ of }: { of: Pick<SaveForm<never>, 'id' | 'problems' | 'reload'> }) {
  const { t } = useTranslation('kit')
  return (
    <>
      {of.reload && (
        <Alert ref={bringIntoView} color="var(--ohma-waiting)" title={t('form.conflict')}>
          {t('form.conflictText')}{' '}
          <Button size="compact-sm" variant="default" ml={6} onClick={of.reload}>
            {t('form.reload')}
          </Button>
        </Alert>
      )}
      {of.problems.length > 0 && (
        <Alert
          id={problemsId(of.id)}
          style={{ scrollMarginTop: UNDER_BAR }}
          color="var(--ohma-bad)"
          title={t('form.problems', { count: of.problems.length })}
        >
          <List size="sm">
            {of.problems.map(({ name, label, text }) => (
              <List.Item key={name}>
                <Anchor component="button" type="button" size="sm" c="inherit" underline="always" onClick={() => focusField(of.id, name)}>
                  {label}
                </Anchor>
                : {text}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  )
}

/** Whoever saves at the end of a long form would not see what stands above it. The same function each time: called once it is there. */
function bringIntoView(node: HTMLElement | null): void {
  node?.scrollIntoView({ block: 'center' })
}
