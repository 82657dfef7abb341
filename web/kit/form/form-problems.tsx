import { useTranslation } from 'react-i18next'
import { focusField, type SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/kit/form/form.module.css'

/** What keeps the form from being saved, each line leading to its field. */
export function FormProblems<Values>({ of }: { of: SaveForm<Values> }) {
  const { t } = useTranslation('kit')
  if (of.problems.length === 0) return null
  return (
    <div role="alert" className={classes.problems}>
      <strong>{t('form.problems', { count: of.problems.length })}</strong>
      <ul>
        {of.problems.map((problem) => (
          <li key={problem.name}>
            <button type="button" onClick={() => focusField(of.id, problem.name)}>
              {problem.label}
            </button>
            : {problem.text}
          </li>
        ))}
      </ul>
    </div>
  )
}
